/** Query parameters of tennis matches and limits of their lists. */
import { wholeNumber } from "@matchpoint/contracts/http/envelope"
import { cursorQuery } from "@matchpoint/contracts/http/listing"
import { StorableText } from "@matchpoint/domain/storableText"
import { Schema, SchemaTransformation } from "effect"
import { LevelParameter, RoundParameter, SurfaceParameter, TennisPlayerId } from "./references.ts"

/** Maximum of `limit`, and of the number of ids in a list of ids. */
export const archiveLimits = { players: 100, search: 50, matches: 100, batch: 50, matrix: 10 } as const

export const YearParameter = wholeNumber({ minimum: 1800, maximum: 2200 }).annotate({ description: "Year: `2024`" })

/** Text without surrounding spaces, with at least `shortest` characters. */
const trimmed = (shortest: number) =>
  StorableText.check(Schema.isPattern(/^\P{Cc}{0,100}$/u)).pipe(
    Schema.decodeTo(Schema.String.check(Schema.isMinLength(shortest)), SchemaTransformation.trim()),
  )

export const NameParameter = trimmed(2).annotate({ description: "Beginnings of words of the name, in any case: `nadal`, `raf nad`" })
export const TypedName = trimmed(1).annotate({ description: "Text as typed by a user: a name, the beginning of one, or a nickname" })

/** Comma-separated, without duplicates. */
export const playerIds = (most: number, least: number) =>
  Schema.String.check(Schema.isPattern(/^[^,]{1,40}(,[^,]{1,40})*$/u), Schema.isMaxLength(2_000)).pipe(
    Schema.decodeTo(
      Schema.Array(TennisPlayerId).check(Schema.isMinLength(least), Schema.isMaxLength(most)),
      SchemaTransformation.transform({
        decode: (list): ReadonlyArray<string> => [...new Set(list.split(",").map((id) => id.trim()))],
        encode: (ids: ReadonlyArray<string>) => ids.join(","),
      }),
    ),
    Schema.annotate({ description: `Ids of players, separated by commas: ${least} to ${most}` }),
  )

export const CircuitParameter = Schema.Literals(["tour", "qual_chall", "qual_itf", "futures", "amateur"]).annotate({
  description:
    "`tour` main tour, `qual_chall` qualifying and Challenger (ATP), `futures` (ATP), `qual_itf` qualifying and ITF (WTA), `amateur`",
})

export const TournamentFilter = trimmed(1).annotate({
  description: "Id of a tournament in one year, `atp_2023-580`, of a competition, `atp_580`, or the whole name in any case, `wimbledon`",
})

export const playerMatchFilters = {
  ...cursorQuery,
  opponent_id: Schema.optionalKey(TennisPlayerId),
  year: Schema.optionalKey(YearParameter),
  surface: Schema.optionalKey(SurfaceParameter),
  tournament: Schema.optionalKey(TournamentFilter),
  round: Schema.optionalKey(RoundParameter),
  level: Schema.optionalKey(LevelParameter),
  circuit: Schema.optionalKey(CircuitParameter),
} as const

/** Filters of statistics and of head-to-head records. */
export const recordFilters = {
  surface: Schema.optionalKey(SurfaceParameter),
  level: Schema.optionalKey(LevelParameter),
  year_from: Schema.optionalKey(YearParameter),
  year_to: Schema.optionalKey(YearParameter),
} as const
