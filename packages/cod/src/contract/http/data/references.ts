import { wholeNumber } from "@matchpoint/contracts/http/envelope"
import { limitOf, offsetQuery } from "@matchpoint/contracts/http/listing"
import { StorableText } from "@matchpoint/domain/storableText"
import { Schema } from "effect"
import { scoreGaps } from "../../../rules/archive/seriesScore.ts"

export const MATCH_LIMITS = { usual: 25, max: 100 } as const

/** Ids of live matches are accepted, so that they get an error that says where to find them. */
export const CodMatchId = Schema.String.check(Schema.isPattern(/^(?:(?:bp|cod)-match-)?\d{1,15}$/u)).annotate({
  description: "Id of an archived match: a number, or `bp-match-<n>`",
})

export const MapNumber = wholeNumber({ minimum: 1, maximum: 99 }).annotate({ description: "Position of the map in the match, from 1" })

export const SeasonParameter = wholeNumber({ minimum: 1_000, maximum: 9_999 }).annotate({
  description: "Year in which the season ends: `2026`",
})

const slug = Schema.String.check(Schema.isPattern(/^[a-z0-9]+(?:-[a-z0-9]+)*$/u), Schema.isMaxLength(100))

export const TeamParameter = slug.annotate({ description: "Slug of a team: `optic-texas`" })

export const TournamentParameter = slug.annotate({ description: "Id of a tournament: `2026-cdl-major-1-qualifier`" })

/** The handler rejects unknown values with status 422, so the schema accepts any text. */
export const choiceText = (description: string) => StorableText.check(Schema.isPattern(/^\P{Cc}{1,30}$/u)).annotate({ description })

export const matchPages = { ...offsetQuery, limit: limitOf(MATCH_LIMITS.usual) } as const

export const CodPagination = Schema.Struct({
  limit: Schema.Natural,
  offset: Schema.Natural,
  page: Schema.Natural.annotate({ description: "From 1" }),
  totalPages: Schema.Natural,
  hasMore: Schema.Boolean,
  nextPage: Schema.NullOr(Schema.Natural).annotate({ description: "null on the last page" }),
  nextOffset: Schema.NullOr(Schema.Natural).annotate({ description: "null on the last page" }),
}).annotate({ identifier: "CodPagination" })

export const CodScoreReason = Schema.NullOr(Schema.Literals(["not_over", ...scoreGaps])).annotate({
  description:
    "Why the score is null. `not_over`: the match has not ended; `maps_missing`: the source lacks maps of the match; `maps_contradict`: its maps cannot be those of one match",
})

export const CodTeamRef = Schema.Struct({ slug: Schema.String, name: Schema.String }).annotate({ identifier: "CodTeamRef" })

export const listOf = <Row extends Schema.Top>(row: Row) => ({
  success: Schema.Literal(true),
  count: Schema.Natural.annotate({ description: "Number of rows of this response" }),
  data: Schema.Array(row),
})

export const oneOf = <Data extends Schema.Top>(data: Data) => Schema.Struct({ success: Schema.Literal(true), data })
