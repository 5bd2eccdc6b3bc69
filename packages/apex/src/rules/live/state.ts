/**
 * The state of one lobby, the fold of its facts. It is plain JSON without undefined values, so that a rebuilt state
 * serializes to the same JSON text. See invariants.ts for what always holds.
 */
import type { SharedState } from "@matchpoint/game/rules/MatchState"
import type { Marked } from "@matchpoint/game/rules/rejections"
import { TEAM_SIZE } from "../archive/points.ts"
import type { DeathCause, Ring } from "./feedEvents.ts"
import type { LobbySheet, PlayerRef } from "./lobby.ts"

/** Increase it when the format of the state changes. */
export const STATE_FORMAT = 1

/** A player in one game. Damage is in health points. */
export interface PlayerLine {
  readonly legend: string | null
  readonly state: "alive" | "knocked" | "dead"
  readonly isConnected: boolean
  readonly kills: number
  readonly assists: number
  readonly knockdowns: number
  /** Revives and respawns of teammates by this player. */
  readonly revives: number
  readonly respawns: number
  /** Newest reported sums; null if none was reported. */
  readonly damage: number | null
  readonly damageTaken: number | null
  readonly ringDamage: number | null
  /** Time of the last death, in epoch milliseconds; null if the player is not dead. */
  readonly diedAt: number | null
}

/** A team in one game. */
export interface TeamLine {
  /** Final placement, from 1; null while the team is in the game. */
  readonly placement: number | null
  /** Kills that count for points. */
  readonly kills: number
  /** Players that are not dead. */
  readonly alive: number
}

export interface Game {
  readonly number: number
  readonly map: string
  readonly bannedLegends: ReadonlyArray<string> | null
  readonly startedAt: number
  readonly ring: typeof Ring.Type | null
  readonly teams: ReadonlyArray<TeamLine>
  /** Three places per team, in the order of `indexOf`; null where a team has fewer players. */
  readonly players: ReadonlyArray<PlayerLine | null>
}

export interface PastGame {
  readonly number: number
  readonly status: "completed" | "cancelled"
  readonly map: string
  readonly bannedLegends: ReadonlyArray<string> | null
  readonly startedAt: number
  readonly endedAt: number
  /** Officials have replaced the results. */
  readonly isCorrected: boolean
  /** Placement and kills of each team. Empty if the game was cancelled. */
  readonly results: ReadonlyArray<{ readonly placement: number; readonly kills: number }>
  /** The players as the game left them; empty if the game was cancelled. */
  readonly players: ReadonlyArray<PlayerLine | null>
  /** False if reports of the game are missing, so that its player statistics are too low. */
  readonly countsEverything: boolean
}

/** A row of the moving standings. The game in progress counts with the worst placement that is still possible. */
export interface Standing {
  readonly rank: number
  readonly points: number
  readonly kills: number
  /** Points of the best game, the current one included; null before the first game. */
  readonly hms: number | null
  readonly wins: number
  /** The team had reached the match point threshold before the game in progress. */
  readonly isOnMatchPoint: boolean
}

/** The newest knockdown, death, revival or respawn, for the list of events. */
export interface LastAction {
  readonly type: "knockdown" | "kill" | "revive" | "respawn" | "elimination"
  readonly game: number
  /** The player that was knocked down, killed, revived or respawned; null if a whole team was eliminated. */
  readonly victim: PlayerRef | null
  readonly attacker: PlayerRef | null
  readonly assists: ReadonlyArray<PlayerRef>
  readonly weapon: string | null
  readonly cause: DeathCause | null
  /** The team that was eliminated by it, and its placement; null if none was. */
  readonly eliminated: { readonly team: number; readonly placement: number } | null
}

/** Ids of accepted events that a state keeps. A game has about 200 to 400 events. */
export const MAX_SEEN = 400

export interface LobbyState extends SharedState {
  readonly format: typeof STATE_FORMAT
  readonly lobby: LobbySheet
  /** Number of the game whose lobby is ready; null if none is. */
  readonly readyFor: number | null
  /** Null between games. */
  readonly game: Game | null
  /** Games that are over, in order. */
  readonly games: ReadonlyArray<PastGame>
  /** One row per team, in the order of the teams. */
  readonly standings: ReadonlyArray<Standing>
  readonly lastAction: LastAction | null
  /** False if reports of the game in progress are missing, because history was lost. */
  readonly countsEverything: boolean
  /** Team number; null if there is none. */
  readonly winner: number | null
  /** The newest correction or cancellation of a game, and the newest suspension or resumption. */
  readonly correction: Marked | null
  readonly interruption: Marked | null
}

export const nextGame = ({ games }: LobbyState): number => games.length + 1

export const teamsLeft = ({ teams }: Game): number => teams.reduce((left, { placement }) => left + (placement === null ? 1 : 0), 0)

/** Places of a team's players in `players`: the first one, and the one after the last. */
export const placesOf = (team: number): readonly [number, number] => [(team - 1) * TEAM_SIZE, team * TEAM_SIZE]
