/** Statistics of players in a match, and on one of its maps. */
import { Schema } from "effect"
import { CodScoreReason, CodTeamRef } from "./references.ts"

const counted = Schema.NullOr(Schema.Natural)
const ratio = Schema.NullOr(Schema.Finite).annotate({ description: "Kills per death, three decimals; kills if there is no death" })
const seconds = counted.annotate({ description: "Seconds on the hill; null outside of hardpoint, or if the source does not count it" })

const totals = {
  playerName: Schema.String,
  teamSlug: Schema.String,
  mapsPlayed: Schema.Natural,
  kills: counted,
  deaths: counted,
  assists: counted,
  kd: ratio,
  damage: counted,
  hillTime: seconds,
  firstBloods: counted,
  plants: counted,
  defuses: counted,
  highestStreak: counted,
  ratings: Schema.Struct({
    overall: Schema.NullOr(Schema.Finite).annotate({ description: "Mean of the source's ratings of all maps" }),
  }),
} as const

/** A statistic that the source does not count is null. */
export const CodPlayerTotals = Schema.Struct(totals).annotate({ identifier: "CodPlayerTotals" })

const CodPlayerMap = Schema.Struct({
  mapNumber: Schema.Natural,
  mapName: Schema.String,
  gameMode: Schema.String,
  kills: counted,
  deaths: counted,
  damage: counted,
}).annotate({ identifier: "CodPlayerMap" })

export const CodMatchPlayerStats = Schema.Struct({
  match: Schema.Struct({
    matchId: Schema.String,
    bpMatchId: Schema.NullOr(Schema.String),
    status: Schema.String,
    round: Schema.NullOr(Schema.String),
    matchDate: Schema.String,
  }),
  teams: Schema.Struct({ team1: CodTeamRef, team2: CodTeamRef }),
  score: Schema.Struct({
    team1: Schema.NullOr(Schema.Natural),
    team2: Schema.NullOr(Schema.Natural),
    formatted: Schema.NullOr(Schema.String).annotate({ description: "`3-1`" }),
    reason: CodScoreReason,
  }),
  winnerSlug: Schema.NullOr(Schema.String),
  source: Schema.String,
  count: Schema.Natural,
  players: Schema.Array(
    Schema.Struct({
      ...totals,
      maps: Schema.optionalKey(Schema.Array(CodPlayerMap)).annotate({ description: "Absent if `includeMaps` is false" }),
    }).annotate({ identifier: "CodPlayerTotalsWithMaps" }),
  ),
}).annotate({ identifier: "CodMatchPlayerStats" })
export type CodMatchPlayerStats = typeof CodMatchPlayerStats.Type

export const CodMapPlayerStats = Schema.Struct({
  map: Schema.Struct({ mapNumber: Schema.Natural, mapName: Schema.String, gameMode: Schema.String }),
  players: Schema.Array(
    Schema.Struct({
      ign: Schema.String,
      team: Schema.String,
      kills: counted,
      deaths: counted,
      kd: ratio,
      damage: counted,
      hillTime: seconds,
      engagements: counted.annotate({ description: "Kills plus deaths" }),
    }).annotate({ identifier: "CodMapPlayer" }),
  ),
}).annotate({ identifier: "CodMapPlayerStats" })
export type CodMapPlayerStats = typeof CodMapPlayerStats.Type
