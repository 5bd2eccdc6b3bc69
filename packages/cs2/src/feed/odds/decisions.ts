/** Which maps of a live match, and whether the series, are decided by the newest frame. Does not change markets. */
import { EventLog } from "@matchpoint/bus/EventLog"
import { Effect } from "effect"
import type { LiveMatch } from "../../contract/LiveMatch.ts"
import { matchId } from "../../rules/ids.ts"
import { newestMatch } from "./newestMatch.ts"

export interface Decisions {
  /** Time of the frame, in epoch milliseconds. */
  readonly at: number
  /** Numbers of the decided maps. */
  readonly maps: ReadonlyArray<number>
  readonly series: boolean
}

/** A map is decided when it is completed, the series when the match is completed or cancelled. */
export const decided = ({ maps, status }: Pick<LiveMatch, "maps" | "status">): Omit<Decisions, "at"> => ({
  maps: maps.filter((map) => map.status === "completed").map(({ mapNumber }) => mapNumber),
  series: status === "completed" || status === "cancelled",
})

/** Without `mapNumber`, whether the series is decided. A decided series decides all its maps. */
export const isDecided = ({ maps, series }: Decisions, mapNumber: number | undefined): boolean =>
  series || (mapNumber !== undefined && maps.includes(mapNumber))

/** Undefined if LIVE has no readable frame of the match. */
export const decisionsOf = Effect.fnUntraced(function* (number: number) {
  const log = yield* EventLog
  const match = yield* newestMatch(log, matchId(number))
  return match === undefined ? undefined : ({ at: Date.parse(match.updatedAt), ...decided(match) } satisfies Decisions)
})
