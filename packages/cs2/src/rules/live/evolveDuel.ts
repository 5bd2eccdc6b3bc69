/**
 * Applies damage and kills, and the statistics derived from them: tallies, opening duels, assists, trades, clutches,
 * KAST.
 *
 * The counting follows the scoreboard of the game, and the demo analyzers that are verified against that scoreboard:
 * - A kill, and whether it was a headshot, counts if the victim is an enemy, including bots. A team kill adds nothing.
 * - A fatal fall subtracts a kill. A death by leaving the game (reported as a kill of oneself with the weapon "world")
 * counts neither as a kill nor as a death.
 * - Kills and deaths while controlling a bot do not count for the player.
 * - Damage is the health taken from enemies that are players.
 * - KAST (kill, assist, survival, traded): assists of any kind count, and death by a team mate counts as survival.
 */
import type { PlayerId } from "../ids.ts"
import { livingOf, updatePlayer } from "./evolvePlayers.ts"
import type { FeedEventOf } from "./feedEvents.ts"
import { linesOf } from "./lines.ts"
import type { TeamIndex } from "./rules.ts"
import { type Clutch, clockSecondsAt, currentMap, type MatchState, type Player, playerOf, type Round } from "./state.ts"

/** A death is traded if the killer dies within this time after it, in milliseconds (exclusive). */
export const TRADE_WINDOW_MS = 5_000

const WORLD = "world"

export const evolveDamage = (state: MatchState, event: FeedEventOf<"PlayerHurt">): MatchState => {
  const { attackerId, victimId, damage, hpLeft, armorLeft, attackerControlsBot } = event.payload
  const attacker = attackerId === null ? undefined : playerOf(state, attackerId)
  const victim = playerOf(state, victimId)
  const counts = attacker !== undefined && victim !== undefined && attacker.team !== victim.team && attackerControlsBot !== true
  const hurt = updatePlayer(state, victimId, (player) => ({
    ...player,
    // Alive even if no health is left, because a separate PlayerKilled event reports a death.
    hp: player.alive ? (hpLeft ?? Math.max(0, player.hp - damage)) : 0,
    armor: armorLeft ?? player.armor,
  }))
  const counted = counts ? updatePlayer(hurt, attackerId, (player) => tally(player, { damage: player.tally.damage + damage })) : hurt
  return refreshLines(counted)
}

export const evolveKill = (state: MatchState, event: FeedEventOf<"PlayerKilled">): MatchState => {
  const round = state.round
  if (round === null) return state
  const kill = judge(state, event)
  let next = kill.leftTheGame ? state : withAssist(state, event)
  next = withDeath(next, event, kill)
  next = withKill(next, event, kill, round)
  next = withTrades(next, event)
  const duels = kill.leftTheGame
    ? round.duels
    : [...round.duels, { at: event.observedAt, killerId: event.payload.killerId, victimId: event.payload.victimId }]
  next = withClutches({ ...next, round: { ...round, duels, openingDone: round.openingDone || kill.ofEnemy } })
  next = {
    ...next,
    lastEvent: {
      id: event.id,
      type: "Kill",
      round: round.number,
      clockSeconds: clockSecondsAt(round, event.observedAt),
      killerPlayerId: event.payload.killerId,
      victimPlayerId: event.payload.victimId,
      weapon: event.payload.weapon,
      headshot: event.payload.headshot,
      throughSmoke: event.payload.throughSmoke ?? null,
    },
  }
  return refreshLines(round.phase === "over" ? creditKast(next) : next)
}

interface KillKind {
  readonly killer: Player | undefined
  readonly victim: Player | undefined
  /** Includes bots. */
  readonly ofEnemy: boolean
  readonly ofMate: boolean
  readonly leftTheGame: boolean
  readonly fell: boolean
}

const judge = (state: MatchState, { payload }: FeedEventOf<"PlayerKilled">): KillKind => {
  const killer = payload.killerId === null ? undefined : playerOf(state, payload.killerId)
  const victim = payload.victimId === null ? undefined : playerOf(state, payload.victimId)
  const ofSelf = killer !== undefined && killer.id === victim?.id
  const ofMate = !ofSelf && killer !== undefined && victim !== undefined && killer.team === victim.team
  return {
    killer,
    victim,
    ofEnemy: killer !== undefined && !ofSelf && !ofMate,
    ofMate: ofMate,
    leftTheGame: ofSelf && payload.weapon === WORLD,
    fell: payload.killerId === null && payload.weapon === WORLD,
  }
}

const tally = (player: Player, change: Partial<Player["tally"]>): Player => ({ ...player, tally: { ...player.tally, ...change } })

const withAssist = (state: MatchState, { payload }: FeedEventOf<"PlayerKilled">): MatchState => {
  const victimTeam = payload.victimId === null ? undefined : playerOf(state, payload.victimId)?.team
  return updatePlayer(state, payload.assisterId, (player) => {
    const counts = player.team !== victimTeam
    const assisted = { ...player, round: { ...player.round, assisted: true } }
    return counts
      ? tally(assisted, {
          assists: player.tally.assists + 1,
          flashAssists: player.tally.flashAssists + (payload.flashAssist === true ? 1 : 0),
        })
      : assisted
  })
}

const withDeath = (state: MatchState, { payload }: FeedEventOf<"PlayerKilled">, kill: KillKind): MatchState =>
  updatePlayer(state, payload.victimId, (player) => {
    const dead = { ...player, alive: false, hp: 0, armor: player.armor === null ? null : 0, weapon: null }
    if (kill.leftTheGame) return dead
    const counted = { ...dead, round: { ...player.round, died: player.round.died || !kill.ofMate } }
    if (payload.victimControlsBot === true) return counted
    return tally(counted, {
      deaths: player.tally.deaths + 1,
      kills: player.tally.kills - (kill.fell ? 1 : 0),
      firstDeaths: player.tally.firstDeaths + (kill.ofEnemy && state.round?.openingDone === false ? 1 : 0),
    })
  })

const withKill = (state: MatchState, { payload }: FeedEventOf<"PlayerKilled">, kill: KillKind, round: Round): MatchState => {
  if (!kill.ofEnemy) return state
  return updatePlayer(state, payload.killerId, (player) => {
    const kills = player.round.kills + 1
    const shown = { ...player, round: { ...player.round, kills } }
    if (payload.killerControlsBot === true) return shown
    return tally(
      { ...shown, weapon: player.alive ? payload.weapon : player.weapon },
      {
        kills: player.tally.kills + 1,
        headshots: player.tally.headshots + (payload.headshot ? 1 : 0),
        firstKills: player.tally.firstKills + (round.openingDone ? 0 : 1),
        multiKills: countMultiKill(player.tally.multiKills, kills),
      },
    )
  })
}

/** A third kill, for example, turns the double kill of this round into a triple kill. */
const countMultiKill = (counts: Player["tally"]["multiKills"], kills: number): Player["tally"]["multiKills"] => {
  const of = (size: number) => (counts[size - 2] ?? 0) + (kills === size ? 1 : kills === size + 1 ? -1 : 0)
  return kills < 2 || kills > 5 ? counts : [of(2), of(3), of(4), of(5)]
}

/**
 * A kill avenges the players whom its victim had killed within the trade window: their deaths are marked as traded. It
 * counts as a trade kill if one of these players is a team mate of the killer.
 */
const withTrades = (state: MatchState, { payload, observedAt }: FeedEventOf<"PlayerKilled">): MatchState => {
  const round = state.round
  if (round === null || payload.victimId === null) return state
  const avenged = new Set<PlayerId>()
  for (const duel of round.duels) {
    if (duel.killerId === payload.victimId && duel.victimId !== null && observedAt - duel.at < TRADE_WINDOW_MS) avenged.add(duel.victimId)
  }
  if (avenged.size === 0) return state
  const killerTeam = payload.killerId === null ? undefined : playerOf(state, payload.killerId)?.team
  const isTradeKill = [...avenged].some((id) => playerOf(state, id)?.team === killerTeam && id !== payload.killerId)
  return {
    ...state,
    players: state.players.map((player) => {
      const traded = avenged.has(player.id) ? { ...player, round: { ...player.round, traded: true } } : player
      return isTradeKill && player.id === payload.killerId ? tally(traded, { tradeKills: player.tally.tradeKills + 1 }) : traded
    }),
  }
}

/**
 * A clutch starts when a player is the last one alive of a team and at least one enemy is alive. There is at most one
 * clutch per team and round.
 */
const withClutches = (state: MatchState): MatchState => {
  const round = state.round
  if (round === null || round.phase !== "live") return state
  const begun: Array<Clutch> = []
  for (const team of [0, 1] as const) {
    const [last, ...mates] = livingOf(state, team)
    const opponents = livingOf(state, team === 0 ? 1 : 0).length
    if (last === undefined || mates.length > 0 || opponents === 0 || sizeOf(state, team) < 2) continue
    if (!round.clutches.some((clutch) => clutch.team === team)) begun.push({ playerId: last.id, team, opponents })
  }
  return begun.length === 0 ? state : { ...state, round: { ...round, clutches: [...round.clutches, ...begun] } }
}

const sizeOf = (state: MatchState, team: TeamIndex) => state.players.filter((player) => player.team === team && player.connected).length

/** Called at the end of a round, and again for kills reported after it. */
export const creditKast = (state: MatchState): MatchState => ({
  ...state,
  players: state.players.map((player) => {
    const { kills, assisted, died, traded, credited } = player.round
    const earns = kills > 0 || assisted || traded || (!died && player.connected)
    if (earns === credited) return player
    return tally({ ...player, round: { ...player.round, credited: earns } }, { kastRounds: player.tally.kastRounds + (earns ? 1 : -1) })
  }),
})

/** Kills and damage after the last round still count in the stored statistics of a completed map. */
const refreshLines = (state: MatchState): MatchState => {
  const map = currentMap(state)
  return map?.status === "completed" ? { ...state, maps: [...state.maps.slice(0, -1), { ...map, lines: linesOf(state) }] } : state
}
