/** The fold of the yardstick: new objects for what an event changes, everything else is shared, as in the product. */
import type { Event } from "./events.ts"

export interface Player {
  readonly name: string
  readonly kills: number
  readonly deaths: number
  readonly headshots: number
  readonly damage: number
  readonly money: number
  readonly weapons: Readonly<Record<string, number>>
}

export interface State {
  readonly seq: number
  readonly updatedAt: number
  readonly round: number
  readonly score: readonly [number, number]
  readonly players: ReadonlyArray<Player>
  readonly rounds: ReadonlyArray<{ readonly number: number; readonly winner: number; readonly endedAt: number }>
  readonly feed: ReadonlyArray<{ readonly at: number; readonly text: string }>
}

const FEED_LENGTH = 50

export const begin: State = {
  seq: 0,
  updatedAt: 0,
  round: 0,
  score: [0, 0],
  players: Array.from({ length: 10 }, (_, index) => ({
    name: `player ${index}`,
    kills: 0,
    deaths: 0,
    headshots: 0,
    damage: 0,
    money: 800,
    weapons: {},
  })),
  rounds: [],
  feed: [],
}

export const fold = (state: State, event: Event): State => ({ ...apply(state, event), seq: state.seq + 1, updatedAt: event.at })

const apply = (state: State, event: Event): State => {
  switch (event.type) {
    case "round":
      return { ...state, round: event.number }
    case "kill": {
      const { at, headshot, killer, victim, weapon } = event
      const players = change(state.players, killer, (player) => ({
        ...player,
        kills: player.kills + 1,
        headshots: player.headshots + (headshot ? 1 : 0),
        weapons: { ...player.weapons, [weapon]: (player.weapons[weapon] ?? 0) + 1 },
      }))
      const text = `${state.players[killer]?.name} killed ${state.players[victim]?.name} with ${weapon}`
      return {
        ...state,
        players: change(players, victim, (player) => ({ ...player, deaths: player.deaths + 1 })),
        feed: [...state.feed, { at, text }].slice(-FEED_LENGTH),
      }
    }
    case "damage":
      return {
        ...state,
        players: change(state.players, event.attacker, (player) => ({ ...player, damage: player.damage + event.health })),
      }
    case "money":
      return { ...state, players: change(state.players, event.player, (player) => ({ ...player, money: event.amount })) }
    case "end": {
      const { at, winner } = event
      const [first, second] = state.score
      return {
        ...state,
        score: winner === 0 ? [first + 1, second] : [first, second + 1],
        rounds: [...state.rounds, { number: state.round, winner, endedAt: at }],
      }
    }
  }
}

const change = (players: ReadonlyArray<Player>, index: number, to: (player: Player) => Player): ReadonlyArray<Player> =>
  players.map((player, position) => (position === index ? to(player) : player))
