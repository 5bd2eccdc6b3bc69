/**
 * Plays the games of a simulated series at once, without single facts: placements, kills and statistics of every player.
 * Has no side effects. Each of a team's players dies to a team that is placed better, so kills never exceed deaths.
 */
import type { Random } from "@matchpoint/simulator/random"
import { matchPointWinner, pointsOfGame } from "../../rules/archive/points.ts"
import type { ApexGame, ApexTeamGame } from "../../rules/archive/series.ts"
import { gamesOfTeams } from "../../rules/archive/totals.ts"
import { type ApexSquad, strengthOf } from "../apexTeams.ts"
import { bannedLegends, maps, pickLegends } from "../arena.ts"

export interface SeriesPlan {
  /** Number of games. A match point series ends earlier or later, after at most `MOST_MATCH_POINT_GAMES` games. */
  readonly games: number
  readonly matchPoint: number | null
  /** Start of the first game, in epoch milliseconds. */
  readonly startsAt: number
}

const MOST_MATCH_POINT_GAMES = 9

/** Time from the start of a game to that of the next one, in milliseconds. */
const GAME_MS = 32 * 60_000

/** Standard deviation of a team's form in one game, on the scale of its strength. */
const FORM = 0.6

export const playSeries = (random: Random, squads: ReadonlyArray<ApexSquad>, plan: SeriesPlan): ReadonlyArray<ApexGame> => {
  const games: Array<ApexGame> = []
  while (!isOver(games, plan)) games.push(playGame(random, squads, games.length + 1, plan.startsAt + games.length * GAME_MS))
  return games
}

const isOver = (games: ReadonlyArray<ApexGame>, { games: planned, matchPoint }: SeriesPlan): boolean => {
  if (matchPoint === null || games.length >= MOST_MATCH_POINT_GAMES) return games.length >= planned
  const teams = [...gamesOfTeams(games)].map(([teamName, played]) => ({
    teamName,
    games: played.map(({ gameNumber, result: { kills, placement, points } }) => ({ gameNumber, placement, kills, points })),
  }))
  return matchPointWinner(teams, matchPoint) !== undefined
}

const playGame = (random: Random, squads: ReadonlyArray<ApexSquad>, gameNumber: number, startedAt: number): ApexGame => {
  const duration = random.int(1_220, 1_420)
  const banned = bannedLegends(random, gameNumber - 1)
  const order = squads
    .map((squad) => ({ squad, form: strengthOf(squad) + FORM * random.normal() }))
    .toSorted((one, other) => other.form - one.form)
    .map(({ squad }) => squad)
  const kills = killsOf(random, order)
  return {
    gameNumber,
    map: maps[(gameNumber - 1) % maps.length] ?? maps[0],
    status: "completed",
    startedAt,
    duration,
    bannedLegends: banned,
    placementGap: null,
    teams: order.map((squad, index) => teamOf(random, squad, { placement: index + 1, kills: kills[index] ?? [], banned, duration })),
  }
}

/** Returns the kills of each team's players. One of 20 deaths is no team's kill. */
const killsOf = (random: Random, order: ReadonlyArray<ApexSquad>): ReadonlyArray<ReadonlyArray<number>> => {
  const kills = order.map(({ players }) => players.map(() => 0))
  for (let placement = order.length; placement > 1; placement -= 1) {
    for (const _ of order[placement - 1]?.players ?? []) {
      if (random.chance(0.05)) continue
      // Teams that are placed better live longer, and therefore have more kills.
      const killer = random.int(0, placement - 2)
      const own = kills[killer]
      const place = shooter(random, order[killer])
      if (own !== undefined) own[place] = (own[place] ?? 0) + 1
    }
  }
  return kills
}

/** Returns the place of the player that gets a kill, one with better aim more often. */
const shooter = (random: Random, squad: ApexSquad | undefined): number => {
  const weights = (squad?.players ?? []).map(({ aim }) => Math.exp(aim))
  let left = random.next() * weights.reduce((sum, weight) => sum + weight, 0)
  const found = weights.findIndex((weight) => {
    left -= weight
    return left < 0
  })
  return Math.max(0, found)
}

interface TeamResult {
  readonly placement: number
  readonly kills: ReadonlyArray<number>
  readonly banned: ReadonlyArray<string>
  /** Seconds. */
  readonly duration: number
}

const teamOf = (random: Random, squad: ApexSquad, { banned, duration, kills, placement }: TeamResult): ApexTeamGame => {
  const legends = pickLegends(random, banned, squad.players.length)
  // The first team is out after a tenth of the game.
  const survived = Math.round(duration * (placement === 1 ? 1 : 1 - ((placement - 1) / 20) * 0.9))
  const players = squad.players.map(({ id, name }, place) => {
    const own = kills[place] ?? 0
    return {
      playerId: id,
      playerName: name,
      legend: legends[place] ?? null,
      kills: own,
      statistics: {
        assists: random.int(0, own + 1),
        damage: own * random.int(140, 210) + random.int(60, 320),
        damageTaken: random.int(180, 620),
        knockdowns: own + random.int(0, 1),
        revives: random.int(0, 2),
        respawns: random.chance(0.1) ? 1 : 0,
        ringDamage: random.int(0, 60),
        survivalTime: Math.max(60, survived - random.int(0, 30)),
      },
    }
  })
  const total = kills.reduce((sum, own) => sum + own, 0)
  const sum = (of: (player: (typeof players)[number]["statistics"]) => number) =>
    players.reduce((whole, { statistics }) => whole + of(statistics), 0)
  return {
    teamName: squad.name,
    placement,
    kills: total,
    points: pointsOfGame(placement, total),
    statistics: {
      assists: sum(({ assists }) => assists),
      damage: sum(({ damage }) => damage),
      damageTaken: sum(({ damageTaken }) => damageTaken),
      knockdowns: sum(({ knockdowns }) => knockdowns),
      revives: sum(({ revives }) => revives),
      respawns: sum(({ respawns }) => respawns),
      ringDamage: sum(({ ringDamage }) => ringDamage),
      survivalTime: survived,
    },
    players,
  }
}
