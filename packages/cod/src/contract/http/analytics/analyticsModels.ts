import { wholeNumber } from "@matchpoint/contracts/http/envelope"
import { Schema } from "effect"
import { gapReasons } from "../../../rules/analytics/gaps.ts"

/** A value that is null, and why. */
const CodGap = Schema.Struct({
  field: Schema.String.annotate({ description: "Path of the value in this response: `clutchFactor.overall`" }),
  reason: Schema.Literals(gapReasons).annotate({
    description:
      "`no_maps`: no map in the archive; `not_recorded`: no source counts it; `below_minimum_sample`; `too_few_teams` or `too_few_points` to compare",
  }),
  sample: Schema.Finite.annotate({ description: "Size of the sample" }),
  minimumSample: Schema.Finite.annotate({ description: "Smallest sample for a value" }),
}).annotate({ identifier: "CodGap" })

export const scoped = {
  success: Schema.Literal(true),
  season: Schema.NullOr(Schema.Natural).annotate({ description: "null: all seasons" }),
  gaps: Schema.Array(CodGap).annotate({ description: "The values that are null, with the reasons. Empty if there are none" }),
} as const

export const seasonQuery = {
  season: Schema.optionalKey(
    wholeNumber({ minimum: 1_000, maximum: 9_999 }).annotate({
      description: "Year in which the season ends: `2026`. Default: all seasons of your plan's history",
    }),
  ),
} as const

/** `gaps` has the reason of a missing value. */
export const measured = (description: string) => Schema.NullOr(Schema.Finite).annotate({ description })

export const winPct = Schema.NullOr(Schema.Finite).annotate({ description: "Share of wins from 0 to 1; null without a match" })

export const historyNote = "Plans with a limited history count only matches within it."
