/**
 * Rows of the archive. A null means that the source of the row has no such value; it never means zero. Rows with
 * `simulated: true` are invented and are removed once real matches are imported.
 */
import type { GameMode } from "./modes.ts"
import type { ScoreGap } from "./seriesScore.ts"

/** `live` rows are finished live matches. */
export type ArchiveSource = "codstats" | "breakingpoint" | "live" | "simulator"

export interface Team {
  /** Id such as `optic-texas`. */
  readonly slug: string
  readonly name: string
  /** Abbreviation of two to four letters, such as `TX`. */
  readonly shortName: string | null
  readonly logoUrl: string | null
  readonly simulated: boolean
}

export interface Player {
  /** Slug of the handle. */
  readonly playerId: string
  /** Handle (in-game name). */
  readonly ign: string
  readonly realName: string | null
  readonly imageUrl: string | null
  readonly simulated: boolean
}

export interface Tournament {
  readonly tournamentId: string
  /** Year in which the season ends. */
  readonly season: number
  readonly name: string
  /** Part of the season to which the tournament counts, such as `stage-1`. Null if it counts to no stage. */
  readonly stage: string | null
  /** True if its matches count in the standings. False for invitationals, the preseason and the championship. */
  readonly isLeague: boolean
  /** League points for each match that a team wins in this tournament. Null if the points table is unknown. */
  readonly pointsPerWin: number | null
  /** US dollars. */
  readonly prizePool: number | null
  readonly simulated: boolean
}

export interface TournamentResult {
  readonly tournamentId: string
  readonly teamSlug: string
  /** Place, from 1. Teams that share a place have the same number. */
  readonly placement: number
  /** League points for the place, in addition to the points for wins. */
  readonly cdlPoints: number
}

/** A team that holds one of the league's franchises in a season. */
export interface SeasonTeam {
  readonly season: number
  readonly teamSlug: string
}

export type MatchStatus = "scheduled" | "live" | "completed" | "cancelled"

export interface Match {
  /** Number as text, or `bp-match-<n>`. */
  readonly matchId: string
  readonly tournamentId: string
  readonly round: string | null
  readonly status: MatchStatus
  /** ISO 8601 in UTC. If `startTimeKnown` is false, only the day is known and the time is midnight. */
  readonly startsAt: string
  readonly startTimeKnown: boolean
  /** Position among the matches with the same start, from 0. */
  readonly startOrder: number
  readonly bestOf: number | null
  readonly team1Slug: string
  readonly team2Slug: string
  /** Maps won. 0 before the match. Null if `scoreGap` is set. */
  readonly team1Score: number | null
  readonly team2Score: number | null
  /** Why the score of a finished match is unknown. */
  readonly scoreGap: ScoreGap | null
  readonly winnerSlug: string | null
  readonly isLan: boolean | null
  /** True if the match is or was shown on the league's own broadcast. */
  readonly broadcasted: boolean | null
  readonly source: ArchiveSource
  readonly simulated: boolean
}

export interface MapResult {
  readonly matchId: string
  /** Position in the match, from 1. */
  readonly mapNumber: number
  readonly mapName: string
  readonly mode: GameMode
  /** Hardpoint: points, up to 250. Search and destroy: rounds, up to 6. Control: rounds, up to 3. Overload: points. */
  readonly team1Score: number | null
  readonly team2Score: number | null
  readonly winnerSlug: string | null
  /** False for a map of the veto that was not needed, and for a map that is not over. */
  readonly played: boolean
  /** Team that chose the map in the veto. */
  readonly pickedBy: string | null
  readonly durationSeconds: number | null
}

/** Clutches and trades are counted by live matches and by the simulation only. */
export interface PlayerMapLine {
  readonly matchId: string
  readonly mapNumber: number
  readonly playerId: string
  readonly teamSlug: string
  readonly kills: number | null
  readonly deaths: number | null
  readonly assists: number | null
  /** Damage dealt to opponents. */
  readonly damage: number | null
  /** Seconds on the hill. Hardpoint only. */
  readonly hillTime: number | null
  /** Rounds in which the player had the first kill. Search and destroy only. */
  readonly firstBloods: number | null
  /** Rounds in which the player was the first to die. Search and destroy only. */
  readonly firstDeaths: number | null
  /** Search and destroy only. */
  readonly plants: number | null
  readonly defuses: number | null
  /** Zone ticks captured. Control only. */
  readonly captures: number | null
  /** Most kills without a death. */
  readonly highestStreak: number | null
  /** Sources compute it differently, so ratings of different sources cannot be compared. */
  readonly rating: number | null
  /** Kills of an opponent who had killed a teammate in the last 5 seconds. */
  readonly tradeKills: number | null
  /** Deaths after which a teammate killed the killer within 5 seconds. */
  readonly tradedDeaths: number | null
  /** Rounds of search and destroy in which the player was the last of the team against 1, 2 or 3 opponents. */
  readonly clutch1v1Attempts: number | null
  readonly clutch1v1Wins: number | null
  readonly clutch1v2Attempts: number | null
  readonly clutch1v2Wins: number | null
  readonly clutch1v3Attempts: number | null
  readonly clutch1v3Wins: number | null
}

export interface MatchRecord {
  readonly match: Match
  readonly maps: ReadonlyArray<MapResult>
  readonly lines: ReadonlyArray<PlayerMapLine>
}

/** Sums of a player in a mode of a tournament, from sources that have sums but no matches. */
export interface TournamentTotal {
  readonly tournamentId: string
  readonly playerId: string
  readonly mode: GameMode
  readonly mapsPlayed: number
  readonly kills: number
  readonly deaths: number
  /** Seconds. Hardpoint only. */
  readonly hillTime: number | null
  /** Search and destroy only. */
  readonly firstBloods: number | null
  /** Control only. */
  readonly captures: number | null
}

/** Prize money of a player in a tournament, in US dollars. */
export interface Earning {
  readonly tournamentId: string
  readonly playerId: string
  readonly amount: number
  /** Place of the player's team, from 1. */
  readonly placement: number | null
}

/** Rows to be written together. Rows that others refer to may be left out if they are already stored. */
export interface ArchiveRows {
  readonly teams?: ReadonlyArray<Team> | undefined
  readonly players?: ReadonlyArray<Player> | undefined
  readonly tournaments?: ReadonlyArray<Tournament> | undefined
  readonly seasonTeams?: ReadonlyArray<SeasonTeam> | undefined
  readonly matches?: ReadonlyArray<MatchRecord> | undefined
  readonly results?: ReadonlyArray<TournamentResult> | undefined
  readonly totals?: ReadonlyArray<TournamentTotal> | undefined
  readonly earnings?: ReadonlyArray<Earning> | undefined
}

/** A line without any statistics, to be spread under the values that a source has. */
export const emptyLine = {
  kills: null,
  deaths: null,
  assists: null,
  damage: null,
  hillTime: null,
  firstBloods: null,
  firstDeaths: null,
  plants: null,
  defuses: null,
  captures: null,
  highestStreak: null,
  rating: null,
  tradeKills: null,
  tradedDeaths: null,
  clutch1v1Attempts: null,
  clutch1v1Wins: null,
  clutch1v2Attempts: null,
  clutch1v2Wins: null,
  clutch1v3Attempts: null,
  clutch1v3Wins: null,
} as const satisfies Omit<PlayerMapLine, "mapNumber" | "matchId" | "playerId" | "teamSlug">
