/** Rankings of teams: a row of one, and what a client may ask of it. The specification leaves the fields open: these are ours. */
import { regions } from "@matchpoint/domain/cs2/archive/regions"
import { TeamId } from "@matchpoint/domain/cs2/ids"
import { Schema } from "effect"
import { Paging } from "../../envelope.ts"
import { instantOf } from "../../instants.ts"
import { pagedQuery } from "../../listing.ts"
import { Team } from "./models.ts"
import { TeamReference } from "./references.ts"

const nullable = Schema.NullOr
const { optionalKey } = Schema

/** `world`: ours. `vrs`: the regional standings. */
export const RankingSource = Schema.Literals(["world", "vrs"])
export type RankingSource = typeof RankingSource.Type

export const RankingRegion = Schema.Literals(["global", ...regions.map(({ id }) => id)])
export type RankingRegion = typeof RankingRegion.Type

/** YYYY-MM-DD */
const Day = Schema.String.annotate({ format: "date" })

/** What the points of the regional standings are made of; each 0..1 but the starting value. */
export const RankingFactors = Schema.Struct({
  startingValue: nullable(Schema.Finite),
  bountyOffered: nullable(Schema.Finite),
  bountyCollected: nullable(Schema.Finite),
  opponentNetwork: nullable(Schema.Finite),
  lanWins: nullable(Schema.Finite),
}).annotate({ identifier: "RankingFactors" })

export const RankedTeam = Schema.Struct({
  entityType: Schema.Literal("cs2_ranked_team"),
  rank: Schema.Natural,
  previousRank: nullable(Schema.Natural).annotate({ description: "null: not in the ranking before" }),
  movement: nullable(Schema.Int).annotate({ description: "Places gained since the ranking before; negative: lost" }),
  points: Schema.Finite,
  pointsChange: nullable(Schema.Finite),
  region: nullable(Schema.String).annotate({ description: "The team's own" }),
  teamId: TeamId,
  teamName: Schema.String,
  team: Team,
  roster: Schema.Array(Schema.String).annotate({ description: "Nicknames as ranked" }),
  factors: nullable(RankingFactors).annotate({ description: "Of the regional standings only" }),
}).annotate({ identifier: "RankedTeam" })
export type RankedTeam = typeof RankedTeam.Type

export const RankingMeta = Schema.Struct({
  ...Paging.fields,
  source: RankingSource,
  region: RankingRegion,
  date: nullable(Day).annotate({ description: "Of the ranking; null: there is none so early" }),
  previousDate: nullable(Day).annotate({ description: "Of the ranking before, which movement is against" }),
  dataAvailable: Schema.Boolean,
}).annotate({ identifier: "RankingMeta" })

export const rankingQuery = {
  ...pagedQuery,
  source: optionalKey(RankingSource.annotate({ description: "`world`: the world ranking; `vrs`: the regional standings" })),
  region: optionalKey(RankingRegion.annotate({ description: "Only teams of this region; default `global`, which is all" })),
  date: optionalKey(instantOf("The ranking in force then; default: the newest")),
  team: optionalKey(TeamReference),
} as const
