/**
 * What lists of the archive have in common: paging that clamps, times, and what can go wrong. A `limit` above the maximum is reduced to
 * it; a page behind the last one is empty; both are no errors.
 */
import { Schema } from "effect"
import { OpenApi } from "effect/http-api"
import { pageQuery } from "../../envelope.ts"
import { HistoryLimit, ServiceUnavailable } from "../../errors.ts"
import { Instant } from "../instants.ts"

/** Maximum `limit` per list, as section 8 of the specification has it, and ours where it is silent. */
export const dataLimits = {
  events: 100,
  eventCalendar: 250,
  eventsActive: 250,
  leagues: 200,
  stats: 200,
  transfers: 200,
  rosterChanges: 200,
  changelog: 200,
  mapEvents: 5_000,
  /** Ours from here on. */
  matches: 100,
  teams: 100,
  players: 100,
  rankings: 500,
  odds: 100,
  oddsHistory: 1_000,
  skins: 100,
  skinPrices: 1_000,
  search: 50,
} as const

/** What a list answers with when no `limit` is asked for. */
export const DEFAULT_LIMIT = 50

/** `offset` counts rows from 0 and wins over `page`. */
export const offsetQuery = {
  ...pageQuery,
  offset: Schema.optionalKey(Schema.FiniteFromString.check(Schema.isInt(), Schema.isGreaterThanOrEqualTo(0))),
} as const

/** `from` and `to`: inclusive. */
export const rangeQuery = { from: Schema.optionalKey(Instant), to: Schema.optionalKey(Instant) } as const

/** `true`, `1` and `yes`, or their opposites. */
export const Flag = Schema.Literals(["true", "1", "yes", "false", "0", "no"])
export type Flag = typeof Flag.Type
export const isOn = (flag: Flag | undefined): boolean => flag === "true" || flag === "1" || flag === "yes"

/** Every endpoint of the archive may fail so. */
export const archiveErrors = [HistoryLimit, ServiceUnavailable] as const

export const describe = (summary: string, description: string) => OpenApi.annotations({ summary, description })
