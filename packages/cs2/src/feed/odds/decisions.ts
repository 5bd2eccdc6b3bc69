/**
 * Determines which maps of a live match are decided, and whether the series is decided, from the newest frame (state
 * update) of the match. This module does not change markets.
 */
import { EventLog } from "@matchpoint/bus/EventLog"
import { Effect } from "effect"
import type { LiveMatch } from "../../contract/LiveMatch.ts"
import { matchId } from "../../rules/ids.ts"
import { newestMatch } from "./newestMatch.ts"

export interface Decisions {
  /** Time of the frame (state update) from which the decisions were derived, in epoch milliseconds. */
  readonly at: number
  /** Numbers of the decided maps. */
  readonly maps: ReadonlyArray<number>
  readonly series: boolean
}

/**
 * Returns which maps are decided, and whether the series is decided. A map is decided when it is completed. The series
 * is decided when the match is completed or cancelled. Has no side effects.
 */
export const decided = ({ maps, status }: Pick<LiveMatch, "maps" | "status">): Omit<Decisions, "at"> => ({
  maps: maps.filter((map) => map.status === "completed").map(({ mapNumber }) => mapNumber),
  series: status === "completed" || status === "cancelled",
})

/**
 * Returns true if the given map is decided. If `mapNumber` is undefined, returns true if the series is decided. A
 * decided series decides all its maps.
 */
export const isDecided = ({ maps, series }: Decisions, mapNumber: number | undefined): boolean =>
  series || (mapNumber !== undefined && maps.includes(mapNumber))

/** Returns the decisions of a match, or undefined if the LIVE stream has no readable frame (state update) of it. */
export const decisionsOf = Effect.fnUntraced(function* (number: number) {
  const log = yield* EventLog
  const match = yield* newestMatch(log, matchId(number))
  return match === undefined ? undefined : ({ at: Date.parse(match.updatedAt), ...decided(match) } satisfies Decisions)
})
