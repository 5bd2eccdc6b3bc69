/** Checks what every read reports about a match while its backup feed is in use, and after its main feed is back. */
import { type Answer, metaOf } from "./reads.ts"
import { backupFrom, backupUntil } from "./recordings.ts"

type Json = Readonly<Record<string, unknown>>

const expected = (onBackup: boolean): Json => ({
  source: onBackup ? "live_backup" : "live",
  coverage: onBackup ? "score_only" : "realtime",
  dataAvailable: !onBackup,
  unavailableReason: onBackup ? "backup_feed" : null,
})

const countIn = (value: unknown): number => (typeof value === "object" && value !== null ? Object.keys(value).length : 0)

/** `share`: part of the match's facts published so far, 0..1. */
export const backupFaults = (answer: Answer, share: number): ReadonlyArray<string> => {
  const onBackup = share > backupFrom && share < backupUntil
  const body: { readonly data: Json } = JSON.parse(answer.text)
  const { data } = body
  const faults: Array<string> = []
  const expectFields = (holder: Json) => {
    for (const [key, value] of Object.entries(expected(onBackup))) {
      // Shape v2 leaves out null fields, and no read has all four.
      if (Object.hasOwn(holder, key) && holder[key] !== value) faults.push(`${key} is ${String(holder[key])} and not ${String(value)}`)
    }
  }
  switch (answer.read) {
    case "scoreboard":
      expectFields(answer.shape === "v1" ? (data["meta"] as Json) : data)
      break
    case "state":
    case "rounds":
    case "events":
    case "playerStats":
      expectFields(data)
      break
    case "maps": {
      const map = (answer.shape === "v1" ? data[0] : data[1]) as Json
      const quality = onBackup ? "partial" : "complete"
      if (map["dataQuality"] !== quality) faults.push(`dataQuality is ${String(map["dataQuality"])} and not ${quality}`)
      break
    }
    default:
      return []
  }
  for (const key of ["players", "rounds", "roundEndEvents", "liveBombEvents"]) {
    if (onBackup && Object.hasOwn(data, key) && countIn(data[key]) > 0) faults.push(`${key} are shown`)
    if (!onBackup && key === "players" && Object.hasOwn(data, key) && countIn(data[key]) === 0) faults.push(`${key} are not shown`)
  }
  if (answer.read === "playerStats" && metaOf(body)["dataAvailable"] !== !onBackup) faults.push("meta.dataAvailable is wrong")
  return faults.map((fault) => `backup ${answer.read} ${answer.shape} at ${share}: ${fault}`)
}
