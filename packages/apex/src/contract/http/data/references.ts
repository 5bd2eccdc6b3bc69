import { instantOf } from "@matchpoint/contracts/http/instants"
import { StorableText } from "@matchpoint/domain/storableText"
import { Schema, SchemaTransformation } from "effect"
import { ArchiveId, regions, seriesStatuses } from "../../../rules/archive/series.ts"

/** Maximum of `limit`. */
export const apexLimits = { events: 100, matches: 100, stats: 25, players: 100, search: 50, transactions: 100 } as const

export const SeriesId = ArchiveId.annotate({ description: "Id of a series: `year-4-championship-avsb`" })
export const EventId = ArchiveId.annotate({ description: "Id of a tournament: `year-4-championship`" })

const Word = StorableText.check(Schema.isPattern(/^\P{Cc}{1,60}$/u))

/** The handler rejects unknown regions with status 422, so the schema accepts any text. */
export const RegionParameter = Word.annotate({ description: `One of ${regions.join(", ")}, in any case` })

/** The handler checks the value. */
export const StatusParameter = Word.annotate({ description: `One of ${seriesStatuses.join(", ")}, in any case` })

/** Text without surrounding spaces. */
export const TextParameter = StorableText.check(Schema.isPattern(/^\P{Cc}{0,100}$/u)).pipe(
  Schema.decodeTo(Schema.String.check(Schema.isMinLength(1)), SchemaTransformation.trim()),
)

export const FromParameter = instantOf("Only entries from this time on, ISO 8601, inclusive: `2026-01-31` or `2026-01-31T12:00:00Z`")
export const ToParameter = instantOf("Only entries up to this time, ISO 8601, inclusive. A day without a time is included as a whole")

/** Why the response has no rows although the request is valid. */
export const UnavailableReason = Schema.NullOr(Schema.Literal("not_recorded")).annotate({
  description: "`not_recorded`: the archive has no such data for this tournament; null if there are rows",
})
