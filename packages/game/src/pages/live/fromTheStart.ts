/**
 * Reads the changes of a match from its beginning to its known state, from the live channel, which resumes before the
 * first frame and sends every change as a small delta. If the server no longer has all frames, the oldest changes are
 * missing.
 */
import type { Known } from "./GameView.ts"

/** Options with which a client follows the match. `Id` and `Document` are the types of the game. */
export const fromTheStart = <Id extends string, Document>({ epoch, matchId }: Known<unknown>, signal: AbortSignal) => {
  const cursor = { matchId: matchId as Id, epoch, seq: 0, position: 0 }
  // The first change of a match turns the empty document into its first state.
  const resume = { cursor, matches: [{ ...cursor, match: {} as Document }] }
  // Server-sent events are in every plan.
  return { shape: "v2", transport: "sse", resume, signal, maxAttempts: 1 } as const
}

/** Results of `read` for each change up to the known state. */
export const untilKnown = async <Change extends { readonly epoch: number; readonly seq: number }, Shown>(
  changes: AsyncIterable<Change>,
  { epoch, seq }: Known<unknown>,
  read: (change: Change) => ReadonlyArray<Shown>,
): Promise<ReadonlyArray<Shown>> => {
  const shown: Array<Shown> = []
  for await (const change of changes) {
    for (const one of read(change)) shown.push(one)
    if (change.epoch > epoch || change.seq >= seq) break
  }
  return shown
}
