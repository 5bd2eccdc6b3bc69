/** Players and teams of the game in progress must be able to do or suffer what is reported. */
import { reject } from "@matchpoint/game/rules/rejections"
import type { FeedEventOf } from "./feedEvents.ts"
import { indexOf, type LobbySheet, type PlayerRef } from "./lobby.ts"
import type { Rejection } from "./rejections.ts"
import { type Game, type PlayerLine, teamsLeft } from "./state.ts"

export type InGameEvent = FeedEventOf<
  | "RingChanged"
  | "PlayerKnocked"
  | "PlayerKilled"
  | "PlayerRevived"
  | "PlayerRespawned"
  | "TeamEliminated"
  | "DamageReported"
  | "PlayerDisconnected"
  | "PlayerReconnected"
  | "GameEnded"
>

export const decideInGame = (lobby: LobbySheet, game: Game, event: InGameEvent): Rejection | undefined => {
  switch (event.type) {
    case "RingChanged":
      return decideRing(game, event.payload)
    case "PlayerKnocked":
    case "PlayerKilled":
      return decideAttack(game, event)
    case "PlayerRevived":
    case "PlayerRespawned":
      return decideHelp(game, event)
    case "TeamEliminated":
      return decideElimination(lobby, game, event.payload)
    case "DamageReported":
      return firstUnknown(
        game,
        event.payload.totals.map(({ player }) => player),
      )
    case "PlayerDisconnected":
    case "PlayerReconnected":
      return decideConnection(game, event)
    case "GameEnded": {
      const left = teamsLeft(game)
      return left <= 1
        ? undefined
        : reject("teams_left", `${left} teams are left; send their eliminations, or GameCorrected with all results`)
    }
  }
}

const states = ["waiting", "closing", "closed"] as const

const decideRing = ({ ring: before }: Game, { ring, state }: FeedEventOf<"RingChanged">["payload"]): Rejection | undefined =>
  before !== null && (ring < before.ring || (ring === before.ring && states.indexOf(state) <= states.indexOf(before.state)))
    ? reject("late_fact", `ring ${before.ring} is already ${before.state}`)
    : undefined

const decideAttack = (game: Game, { payload, type }: FeedEventOf<"PlayerKnocked" | "PlayerKilled">): Rejection | undefined => {
  const { attacker, victim } = payload
  const assists = "assists" in payload ? (payload.assists ?? []) : []
  const unknown = firstUnknown(game, [victim, ...(attacker === null ? [] : [attacker]), ...assists])
  if (unknown !== undefined) return unknown
  if ([attacker, ...assists].some((player) => player?.team === victim.team)) {
    return reject("wrong_attacker", "attacker and assists must be of other teams than the victim; use null if no player did it")
  }
  if (new Set([...(attacker === null ? [] : [attacker]), ...assists].map(indexOf)).size < assists.length + (attacker === null ? 0 : 1)) {
    return reject("wrong_attacker", "a player is attacker and assist, or assist twice")
  }
  const line = lineOf(game, victim)
  if (line?.state === "dead") return reject("player_dead", `${words(victim)} is dead`)
  return type === "PlayerKnocked" && line?.state !== "alive" ? reject("player_not_alive", `${words(victim)} is knocked down`) : undefined
}

const decideHelp = (game: Game, { payload, type }: FeedEventOf<"PlayerRevived" | "PlayerRespawned">): Rejection | undefined => {
  const { by = null, player } = payload
  const unknown = firstUnknown(game, [player, ...(by === null ? [] : [by])])
  if (unknown !== undefined) return unknown
  if (by !== null && (by.team !== player.team || by.player === player.player)) {
    return reject("wrong_helper", "`by` must be a teammate; use null or omit it if the player is unknown")
  }
  if (game.teams[player.team - 1]?.placement !== null) return reject("team_out", `team ${player.team} is out`)
  const state = lineOf(game, player)?.state
  if (type === "PlayerRevived") return state === "knocked" ? undefined : reject("player_not_knocked", `${words(player)} is ${state}`)
  return state === "dead" ? undefined : reject("player_not_dead", `${words(player)} is ${state}`)
}

const decideElimination = (
  { teams }: LobbySheet,
  game: Game,
  { placement, team }: FeedEventOf<"TeamEliminated">["payload"],
): Rejection | undefined => {
  if (team > teams.length) return reject("unknown_player", `the lobby has no team ${team}`)
  const known = game.teams[team - 1]?.placement ?? null
  if (known === placement) return reject("late_fact", `team ${team} is already out`)
  const expected = known ?? teamsLeft(game)
  return placement === expected
    ? undefined
    : reject("wrong_placement", `team ${team} has placement ${expected}, not ${placement}; officials change it with GameCorrected`)
}

const decideConnection = (game: Game, { payload, type }: FeedEventOf<"PlayerDisconnected" | "PlayerReconnected">) => {
  const line = lineOf(game, payload.player)
  if (line === null) return reject("unknown_player", `the lobby has no ${words(payload.player)}`)
  const isConnected = type === "PlayerReconnected"
  return line.isConnected === isConnected
    ? reject("late_fact", `${words(payload.player)} is already ${isConnected ? "connected" : "disconnected"}`)
    : undefined
}

const firstUnknown = (game: Game, players: ReadonlyArray<PlayerRef>): Rejection | undefined => {
  const unknown = players.find((player) => lineOf(game, player) === null)
  return unknown === undefined ? undefined : reject("unknown_player", `the lobby has no ${words(unknown)}`)
}

const lineOf = ({ players }: Game, player: PlayerRef): PlayerLine | null => players[indexOf(player)] ?? null

const words = ({ player, team }: PlayerRef): string => `player ${player} of team ${team}`
