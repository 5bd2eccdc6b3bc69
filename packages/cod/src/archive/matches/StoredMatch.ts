/** A match with its maps and lines, as it is read at once. */
import { Schema } from "effect"
import { CodScoreReason } from "../../contract/http/data/references.ts"
import { gameModes } from "../../rules/archive/modes.ts"

const Count = Schema.NullOr(Schema.Int)
const Team = Schema.Struct({ slug: Schema.String, name: Schema.String, logoUrl: Schema.NullOr(Schema.String) })

export const StoredMatch = Schema.Struct({
  matchId: Schema.String,
  bpMatchId: Schema.NullOr(Schema.String),
  round: Schema.NullOr(Schema.String),
  status: Schema.Literals(["scheduled", "live", "completed", "cancelled"]),
  startsAt: Schema.String,
  startTimeKnown: Schema.Boolean,
  bestOf: Count,
  source: Schema.String,
  winnerSlug: Schema.NullOr(Schema.String),
  team1Score: Schema.NullOr(Schema.Int),
  team2Score: Schema.NullOr(Schema.Int),
  scoreReason: CodScoreReason,
  team1: Team,
  team2: Team,
  tournament: Schema.Struct({ id: Schema.String, name: Schema.String }),
  /** In the order of their numbers. */
  maps: Schema.Array(
    Schema.Struct({
      mapNumber: Schema.Int,
      mapName: Schema.String,
      mode: Schema.Literals(gameModes),
      team1Score: Count,
      team2Score: Count,
      winnerSlug: Schema.NullOr(Schema.String),
      played: Schema.Boolean,
      pickedBy: Schema.NullOr(Schema.String),
      durationSeconds: Count,
    }),
  ),
  /** By map, most kills first. */
  lines: Schema.Array(
    Schema.Struct({
      mapNumber: Schema.Int,
      playerId: Schema.String,
      ign: Schema.String,
      teamSlug: Schema.String,
      kills: Count,
      deaths: Count,
      assists: Count,
      damage: Count,
      hillTime: Count,
      firstBloods: Count,
      plants: Count,
      defuses: Count,
      highestStreak: Count,
      rating: Schema.NullOr(Schema.Finite),
    }),
  ),
})
export type StoredMatch = typeof StoredMatch.Type
