/** Leaderboards and search of the Call of Duty League. */
import { Schema } from "effect"
import { boardModes, boardStats } from "../../../rules/archive/boards.ts"
import { listOf } from "./references.ts"

export const CodBoardRow = Schema.Struct({
  rank: Schema.Natural.annotate({ description: "Players with equal values have the same rank" }),
  player: Schema.Struct({
    ign: Schema.String,
    team: Schema.NullOr(Schema.String).annotate({ description: "Name of the newest team of the season; null if no source states it" }),
  }),
  value: Schema.Finite,
  mapsPlayed: Schema.Natural,
}).annotate({ identifier: "CodBoardRow" })

export const CodBoard = Schema.Struct({
  ...listOf(CodBoardRow),
  mode: Schema.Literals(boardModes),
  stat: Schema.Literals(boardStats),
  season: Schema.NullOr(Schema.Natural).annotate({ description: "null if the archive has no player" }),
  reason: Schema.NullOr(Schema.Literals(["stat_not_counted", "no_players"])).annotate({
    description: "Why the list is empty: no source of the season counts the statistic, or no player has a map of the mode",
  }),
}).annotate({ identifier: "CodBoard" })
export type CodBoard = typeof CodBoard.Type

export const CodEarningsRow = Schema.Struct({
  rank: Schema.Natural,
  player: Schema.Struct({
    codPlayerId: Schema.String,
    ign: Schema.String,
    team: Schema.NullOr(Schema.String),
    imageUrl: Schema.NullOr(Schema.String),
  }),
  totalEarnings: Schema.Finite.annotate({ description: "US dollars" }),
  tournamentsWon: Schema.Natural,
}).annotate({ identifier: "CodEarningsRow" })
export type CodEarningsRow = typeof CodEarningsRow.Type

export const CodEarnings = Schema.Struct({
  ...listOf(CodEarningsRow),
  season: Schema.NullOr(Schema.Natural).annotate({ description: "null: all seasons" }),
  reason: Schema.NullOr(Schema.Literal("no_prize_money_known")).annotate({ description: "Why the list is empty" }),
}).annotate({ identifier: "CodEarnings" })
export type CodEarnings = typeof CodEarnings.Type

const matchScore = Schema.Finite.annotate({
  description: "Relevance from 0 to 1; 1 is an exact name. Of equally relevant hits, the better known one stands first",
})

export const CodSearchResults = Schema.Struct({
  query: Schema.String,
  results: Schema.Struct({
    players: Schema.Array(
      Schema.Struct({
        codPlayerId: Schema.String,
        ign: Schema.String,
        realName: Schema.NullOr(Schema.String),
        team: Schema.NullOr(Schema.String),
        imageUrl: Schema.NullOr(Schema.String),
        matchScore,
      }).annotate({ identifier: "CodPlayerHit" }),
    ),
    teams: Schema.Array(
      Schema.Struct({ slug: Schema.String, name: Schema.String, logoUrl: Schema.NullOr(Schema.String), matchScore }).annotate({
        identifier: "CodTeamHit",
      }),
    ),
    tournaments: Schema.Array(
      Schema.Struct({ tournamentId: Schema.String, name: Schema.String, season: Schema.Natural, matchScore }).annotate({
        identifier: "CodTournamentHit",
      }),
    ),
  }),
}).annotate({ identifier: "CodSearchResults" })
export type CodSearchResults = typeof CodSearchResults.Type
