/** Matches in lists, and one match with its maps. */
import { Schema } from "effect"
import { CodPlayerTotals } from "./playerModels.ts"
import { CodPagination, CodScoreReason, listOf } from "./references.ts"

const CodMatchStatus = Schema.Literals(["scheduled", "live", "completed", "cancelled"])

const score = Schema.NullOr(Schema.Natural).annotate({ description: "Maps won; null if `scoreReason` is set" })

const CodScoredTeam = Schema.Struct({
  slug: Schema.String,
  name: Schema.String,
  score,
}).annotate({ identifier: "CodScoredTeam" })

const winnerSlug = Schema.NullOr(Schema.String).annotate({
  description: "null before the end of the match, or if the maps that the source has do not decide it",
})

const item = {
  id: Schema.String.annotate({ description: "Id of the match in paths: a number, or `bp-match-<n>`" }),
  matchId: Schema.String.annotate({ description: "Same as `id`" }),
  bpMatchId: Schema.NullOr(Schema.String).annotate({ description: "`bp-match-<n>` if the match comes from that source" }),
  round: Schema.NullOr(Schema.String),
  status: CodMatchStatus,
  startsAt: Schema.String.annotate({ description: "ISO 8601 in UTC" }),
  startTimeKnown: Schema.Boolean.annotate({ description: "false: only the day is known, and the time is midnight" }),
  team1: CodScoredTeam,
  team2: CodScoredTeam,
  scoreReason: CodScoreReason,
  winnerSlug,
} as const

const tournament = { tournamentId: Schema.String, name: Schema.String } as const

export const CodMatchItem = Schema.Struct({ ...item, tournament: Schema.Struct(tournament) }).annotate({ identifier: "CodMatchItem" })

export const CodUpcomingMatch = Schema.Struct({
  ...item,
  bestOf: Schema.NullOr(Schema.Natural),
  tournament: Schema.Struct({ ...tournament, season: Schema.Natural }),
}).annotate({ identifier: "CodUpcomingMatch" })

const page = { total: Schema.Natural, pagination: CodPagination } as const

export const CodMatchList = Schema.Struct({ ...listOf(CodMatchItem), ...page }).annotate({ identifier: "CodMatchList" })
export const CodUpcomingList = Schema.Struct({ ...listOf(CodUpcomingMatch), ...page }).annotate({ identifier: "CodUpcomingList" })

const CodMatchTeam = Schema.Struct({ slug: Schema.String, name: Schema.String, logoUrl: Schema.NullOr(Schema.String) }).annotate({
  identifier: "CodMatchTeam",
})

/** The unit depends on the mode. */
const mapScore = Schema.NullOr(Schema.Natural).annotate({
  description: "Points in hardpoint and overload, rounds in search and destroy and in control; null if the source does not state it",
})

export const CodMatchMap = Schema.Struct({
  mapNumber: Schema.Natural,
  mapName: Schema.String,
  mapImageUrl: Schema.NullOr(Schema.String).annotate({ description: "Always null: no source has images of maps" }),
  gameMode: Schema.String,
  team1Score: mapScore,
  team2Score: mapScore,
  played: Schema.Boolean,
  pickedBy: Schema.NullOr(Schema.String).annotate({ description: "Slug of the team that chose the map in the veto" }),
}).annotate({ identifier: "CodMatchMap" })

export const CodMatchDetail = Schema.Struct({
  id: Schema.String,
  matchId: Schema.String,
  bpMatchId: Schema.NullOr(Schema.String),
  round: Schema.NullOr(Schema.String),
  team1: CodMatchTeam,
  team2: CodMatchTeam,
  team1Score: score,
  team2Score: score,
  scoreReason: CodScoreReason,
  winnerSlug,
  matchDate: Schema.String.annotate({ description: "Start, ISO 8601 in UTC" }),
  startTimeKnown: Schema.Boolean,
  bestOf: Schema.NullOr(Schema.Natural),
  status: CodMatchStatus,
  tournament: Schema.Struct({ name: Schema.String, id: Schema.String }),
  source: Schema.String.annotate({ description: "Where the match comes from; `simulator` is an invented match" }),
  maps: Schema.Array(CodMatchMap),
  playerStats: Schema.Array(CodPlayerTotals),
}).annotate({ identifier: "CodMatchDetail" })
export type CodMatchDetail = typeof CodMatchDetail.Type

export const CodMapResult = Schema.Struct({
  mapNumber: Schema.Natural,
  mapName: Schema.String,
  gameMode: Schema.String,
  team1Score: mapScore,
  team2Score: mapScore,
  winner: Schema.NullOr(Schema.String).annotate({ description: "Slug of the team" }),
  duration: Schema.NullOr(Schema.String).annotate({ description: "`mm:ss`; null if the source does not state it" }),
}).annotate({ identifier: "CodMapResult" })

export const CodMapResults = Schema.Struct({ ...listOf(CodMapResult), matchId: Schema.String }).annotate({ identifier: "CodMapResults" })
