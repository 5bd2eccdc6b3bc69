/** Models and query parameters of the team rankings. The API specification does not define the fields. */
import { Paging } from "@matchpoint/contracts/http/envelope"
import { instantOf } from "@matchpoint/contracts/http/instants"
import { pagedQuery } from "@matchpoint/contracts/http/listing"
import { Schema } from "effect"
import { regions } from "../../../rules/archive/regions.ts"
import { TeamId } from "../../../rules/ids.ts"
import { Team } from "./models.ts"
import { TeamReference } from "./references.ts"

const nullable = Schema.NullOr
const { optionalKey } = Schema

/** Selects a ranking: `world` is the world ranking that this service computes, and `vrs` the regional standings. */
export const RankingSource = Schema.Literals(["world", "vrs"])
export type RankingSource = typeof RankingSource.Type

export const RankingRegion = Schema.Literals(["global", ...regions.map(({ id }) => id)])
export type RankingRegion = typeof RankingRegion.Type

/** Date in the format YYYY-MM-DD. */
const Day = Schema.String.annotate({ format: "date" })

/** Components of a team's points. All are fractions from 0 to 1, except the starting value. */
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
  previousRank: nullable(Schema.Natural).annotate({ description: "Rank in the previous ranking; null if the team was not in it" }),
  movement: nullable(Schema.Int).annotate({ description: "Places gained since the previous ranking; negative if places were lost" }),
  points: Schema.Finite,
  pointsChange: nullable(Schema.Finite),
  region: nullable(Schema.String).annotate({ description: "Region of the team" }),
  teamId: TeamId,
  teamName: Schema.String,
  team: Team,
  roster: Schema.Array(Schema.String).annotate({ description: "Nicknames of the players at the time of the ranking" }),
  factors: nullable(RankingFactors).annotate({ description: "Only in the regional standings" }),
}).annotate({ identifier: "RankedTeam" })
export type RankedTeam = typeof RankedTeam.Type

export const RankingMeta = Schema.Struct({
  ...Paging.fields,
  source: RankingSource,
  region: RankingRegion,
  date: nullable(Day).annotate({ description: "Date of the ranking; null if no ranking is that old" }),
  previousDate: nullable(Day).annotate({ description: "Date of the previous ranking, which `movement` is relative to" }),
  dataAvailable: Schema.Boolean,
}).annotate({ identifier: "RankingMeta" })

export const rankingQuery = {
  ...pagedQuery,
  source: optionalKey(RankingSource.annotate({ description: "`world`: the world ranking; `vrs`: the regional standings" })),
  region: optionalKey(RankingRegion.annotate({ description: "Only teams of this region. Default `global`: all regions" })),
  date: optionalKey(instantOf("The ranking in force at this time, ISO 8601. Default: the newest ranking")),
  team: optionalKey(TeamReference),
} as const
