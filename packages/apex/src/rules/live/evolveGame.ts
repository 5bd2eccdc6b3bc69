/** Applies accepted facts to the game in progress. No side effects. */
import { TEAM_SIZE } from "../archive/points.ts"
import type { InGameEvent } from "./decideInGame.ts"
import type { FeedEventOf } from "./feedEvents.ts"
import { indexOf, type LobbySheet, type PlayerRef } from "./lobby.ts"
import { type Game, type LastAction, type PlayerLine, placesOf, type TeamLine, teamsLeft } from "./state.ts"

export const newGame = (lobby: LobbySheet, { observedAt, payload }: FeedEventOf<"GameStarted">): Game => ({
  number: payload.game,
  map: payload.map,
  bannedLegends: payload.bannedLegends ?? null,
  startedAt: observedAt,
  ring: null,
  teams: lobby.teams.map(({ players }) => ({ placement: null, kills: 0, alive: players.length })),
  players: lobby.teams.flatMap(({ players }, team) =>
    Array.from({ length: TEAM_SIZE }, (_, place) => (place < players.length ? newPlayer(payload.legends?.[team]?.[place] ?? null) : null)),
  ),
})

const newPlayer = (legend: string | null): PlayerLine => ({
  legend,
  state: "alive",
  isConnected: true,
  kills: 0,
  assists: 0,
  knockdowns: 0,
  revives: 0,
  respawns: 0,
  damage: null,
  damageTaken: null,
  ringDamage: null,
  diedAt: null,
})

interface Step {
  readonly game: Game
  /** Undefined if the event is not an action of players. */
  readonly lastAction?: LastAction
}

export const evolveGame = (game: Game, event: Exclude<InGameEvent, FeedEventOf<"GameEnded">>): Step => {
  switch (event.type) {
    case "RingChanged": {
      const { centre, damagePerTick, radius, ring, state } = event.payload
      return { game: { ...game, ring: { ring, state, damagePerTick, centre, radius } } }
    }
    case "PlayerKnocked": {
      const { attacker, victim, weapon = null } = event.payload
      const players = withPlayers(game, [
        [victim, (line) => ({ ...line, state: "knocked" })],
        [attacker, (line) => ({ ...line, knockdowns: line.knockdowns + 1 })],
      ])
      return { game: { ...game, players }, lastAction: { ...actionOf("knockdown", game, victim), attacker, weapon } }
    }
    case "PlayerKilled":
      return killed(game, event)
    case "PlayerRevived": {
      const { by = null, player } = event.payload
      const players = withPlayers(game, [
        [player, (line) => ({ ...line, state: "alive" })],
        [by, (line) => ({ ...line, revives: line.revives + 1 })],
      ])
      return { game: { ...game, players }, lastAction: { ...actionOf("revive", game, player), attacker: by } }
    }
    case "PlayerRespawned": {
      const { by = null, player } = event.payload
      const players = withPlayers(game, [
        [player, (line) => ({ ...line, state: "alive", diedAt: null })],
        [by, (line) => ({ ...line, respawns: line.respawns + 1 })],
      ])
      const teams = withTeam(game.teams, player.team, (team) => ({ ...team, alive: team.alive + 1 }))
      return { game: { ...game, players, teams }, lastAction: { ...actionOf("respawn", game, player), attacker: by } }
    }
    case "TeamEliminated":
      return eliminated(game, event)
    case "DamageReported":
      return {
        game: {
          ...game,
          players: withPlayers(
            game,
            event.payload.totals.map(({ damage, damageTaken, player, ringDamage }) => [
              player,
              (line) => ({
                ...line,
                damage,
                damageTaken: damageTaken ?? line.damageTaken,
                ringDamage: ringDamage ?? line.ringDamage,
              }),
            ]),
          ),
        },
      }
    case "PlayerDisconnected":
    case "PlayerReconnected": {
      const isConnected = event.type === "PlayerReconnected"
      return { game: { ...game, players: withPlayers(game, [[event.payload.player, (line) => ({ ...line, isConnected })]]) } }
    }
  }
}

const killed = (game: Game, { observedAt, payload }: FeedEventOf<"PlayerKilled">): Step => {
  const { assists = [], attacker, victim, weapon = null } = payload
  const cause = payload.cause ?? (attacker === null ? "other" : "player")
  const left = teamsLeft(game)
  const players = withPlayers(game, [
    [victim, (line) => ({ ...line, state: "dead", diedAt: observedAt })],
    [attacker, (line) => ({ ...line, kills: line.kills + 1 })],
    ...assists.map((player): PlayerChange => [player, (line) => ({ ...line, assists: line.assists + 1 })]),
  ])
  const alive = (game.teams[victim.team - 1]?.alive ?? 1) - 1
  const isOut = alive === 0 && game.teams[victim.team - 1]?.placement === null
  const withVictim = withTeam(game.teams, victim.team, (team) => ({ ...team, alive, placement: isOut ? left : team.placement }))
  const teams = attacker === null ? withVictim : withTeam(withVictim, attacker.team, (team) => ({ ...team, kills: team.kills + 1 }))
  const out = isOut ? { team: victim.team, placement: left } : null
  return {
    game: { ...game, players, teams },
    lastAction: { ...actionOf("kill", game, victim), attacker, assists, weapon, cause, eliminated: out },
  }
}

const eliminated = (game: Game, { observedAt, payload: { placement, team } }: FeedEventOf<"TeamEliminated">): Step => {
  const [first, end] = placesOf(team)
  const players = game.players.map((line, index) =>
    line === null || index < first || index >= end || line.state === "dead"
      ? line
      : { ...line, state: "dead" as const, diedAt: observedAt },
  )
  const teams = withTeam(game.teams, team, (line) => ({ ...line, alive: 0, placement }))
  return {
    game: { ...game, players, teams },
    lastAction: { ...actionOf("elimination", game, null), eliminated: { team, placement } },
  }
}

const actionOf = (type: LastAction["type"], { number }: Game, victim: PlayerRef | null): LastAction => ({
  type,
  game: number,
  victim,
  attacker: null,
  assists: [],
  weapon: null,
  cause: null,
  eliminated: null,
})

type PlayerChange = readonly [PlayerRef | null, (line: PlayerLine) => PlayerLine]

const withPlayers = ({ players }: Game, changes: ReadonlyArray<PlayerChange>): ReadonlyArray<PlayerLine | null> => {
  const next = [...players]
  for (const [player, change] of changes) {
    if (player === null) continue
    const index = indexOf(player)
    const line = next[index] ?? null
    if (line !== null) next[index] = change(line)
  }
  return next
}

const withTeam = (teams: ReadonlyArray<TeamLine>, number: number, change: (team: TeamLine) => TeamLine): ReadonlyArray<TeamLine> =>
  teams.map((team, index) => (index === number - 1 ? change(team) : team))
