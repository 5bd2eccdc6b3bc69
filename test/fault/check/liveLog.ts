/** Checks the LIVE log itself: each match has the cursors 1, 2, 3, ... once and in order, whoever owned it. Pure. */
import { cursorOfMessageId } from "@matchpoint/contracts/bus/subjects"

/** Message ids of LIVE in the order of the log. Returns the violations and the newest seq of each match. */
export const checkLiveLog = (
  ids: ReadonlyArray<string>,
): { readonly findings: ReadonlyArray<string>; readonly seqs: ReadonlyMap<string, number>; readonly epochs: number } => {
  const places = new Map<string, { readonly epoch: number; readonly seq: number }>()
  const findings: Array<string> = []
  let epochs = 0
  for (const id of ids) {
    const cursor = cursorOfMessageId(id)
    if (cursor === undefined) {
      findings.push(`LIVE has a record with the id ${JSON.stringify(id)}`)
      continue
    }
    const { epoch, matchId, seq } = cursor
    const before = places.get(matchId)
    const repeats = id.includes(":keep:")
    if (repeats) {
      if (before?.epoch !== epoch || before.seq !== seq) findings.push(`LIVE repeats ${id} after ${before?.epoch}:${before?.seq}`)
      continue
    }
    if (before !== undefined && epoch > before.epoch) epochs += 1
    else if (seq !== (before?.seq ?? 0) + 1 || epoch < (before?.epoch ?? 1)) {
      findings.push(`LIVE has ${id} after ${before === undefined ? "nothing" : `${before.epoch}:${before.seq}`}`)
    }
    places.set(matchId, { epoch, seq })
  }
  return { findings, seqs: new Map([...places].map(([matchId, { seq }]) => [matchId, seq])), epochs }
}
