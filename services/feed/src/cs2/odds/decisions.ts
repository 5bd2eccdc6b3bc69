/** What of a live match is decided, as its newest frame says. It reads frames; what becomes of markets is nobody's business here. */
import { EventLog } from "@matchpoint/bus/EventLog"
import type { LiveMatch } from "@matchpoint/contracts/cs2/LiveMatch"
import { matchId } from "@matchpoint/domain/cs2/ids"
import { Effect } from "effect"
import { newestMatch } from "./newestMatch.ts"

export interface Decisions {
  /** Of the frame, epoch ms. */
  readonly at: number
  /** By number. */
  readonly maps: ReadonlyArray<number>
  readonly series: boolean
}

/** A map is decided when it is completed, a series when the match is over. Pure. */
export const decided = ({ maps, status }: Pick<LiveMatch, "maps" | "status">): Omit<Decisions, "at"> => ({
  maps: maps.filter((map) => map.status === "completed").map(({ mapNumber }) => mapNumber),
  series: status === "completed" || status === "cancelled",
})

/** Whether that is decided: a map of the match, or without its number the series. */
export const decides = ({ maps, series }: Decisions, mapNumber: number | undefined): boolean =>
  series || (mapNumber !== undefined && maps.includes(mapNumber))

/** Undefined: the log has no frame of the match, or none that can be read. */
export const decisionsOf = Effect.fnUntraced(function* (number: number) {
  const log = yield* EventLog
  const match = yield* newestMatch(log, matchId(number))
  return match === undefined ? undefined : ({ at: Date.parse(match.updatedAt), ...decided(match) } satisfies Decisions)
})
