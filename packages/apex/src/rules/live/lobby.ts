/** Teams and players have numbers from 1, in the order of the registration: in events, states and documents. */
import { StorableText } from "@matchpoint/domain/storableText"
import { Schema } from "effect"
import { MOST_TEAMS, TEAM_SIZE } from "../archive/points.ts"
import { ArchiveId, Region } from "../archive/series.ts"

const nullable = Schema.NullOr

/** 1 to 120 characters, without control characters. */
export const Name = StorableText.check(Schema.isPattern(/^\P{Cc}{1,120}$/u))

export const TeamNumber = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: MOST_TEAMS }))
export const PlayerNumber = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: TEAM_SIZE }))

export const PlayerRef = Schema.Struct({ team: TeamNumber, player: PlayerNumber })
export type PlayerRef = typeof PlayerRef.Type

export const PlayerSheet = Schema.Struct({
  /** Id in the archive; null if it is unknown. */
  id: nullable(ArchiveId),
  name: Name,
})
export type PlayerSheet = typeof PlayerSheet.Type

export const TeamSheet = Schema.Struct({
  id: nullable(ArchiveId),
  name: Name,
  players: Schema.Array(PlayerSheet).check(Schema.isMinLength(1), Schema.isMaxLength(TEAM_SIZE)),
})
export type TeamSheet = typeof TeamSheet.Type

/** Maximum number of games, cancelled ones included. */
export const MOST_GAMES = 15

export const GameNumber = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: MOST_GAMES }))

export const LobbySheet = Schema.Struct({
  /** Name of the series, such as `Group A vs B`. */
  name: Name,
  stage: nullable(Name),
  region: nullable(Region),
  tournament: Schema.Struct({ id: nullable(ArchiveId), name: Name }),
  format: Schema.Struct({
    /** Planned games. A match point series can end earlier or later. */
    games: GameNumber,
    /** Threshold of a match point series; null if total points decide. */
    matchPoint: nullable(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 500 }))),
  }),
  teams: Schema.Array(TeamSheet).check(Schema.isMinLength(2), Schema.isMaxLength(MOST_TEAMS)),
})
export type LobbySheet = typeof LobbySheet.Type

/** Number of a player over the whole lobby, from 0: `players` of a game has this order. */
export const indexOf = ({ player, team }: PlayerRef): number => (team - 1) * TEAM_SIZE + player - 1
