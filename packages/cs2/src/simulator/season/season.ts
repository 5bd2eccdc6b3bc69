/**
 * Simulates a year of invented tournaments from a seed: some finished, one in progress and one announced, so that a new
 * server has data for every page. The same seed and day always give the same season. Teams and players come from the
 * simulated world (`world.ts`), and some players change teams. At the end of the season the lineups equal those of the
 * simulated world, so that live matches and the archive show the same rosters.
 */
import { childSeed, Random } from "@matchpoint/simulator/random"
import type { ArchivedGame, ArchivedMatch, MatchLink, PlayerRef, TeamRef, TeamSlot } from "../../rules/archive/ArchivedMatch.ts"
import { SIMULATOR_SOURCE } from "../../rules/archive/sources.ts"
import { matchId, playerNumber, teamNumber } from "../../rules/ids.ts"
import { archivedGame } from "../../rules/statistics/archivedGame.ts"
import type { SimulatedTeam } from "../team.ts"
import { CIRCUIT, simulatedWorld } from "../world.ts"
import { type BestOfs, bracketOf, type Pairing, type Standings } from "./bracket.ts"
import { mapRecordsOf } from "./mapRecords.ts"
import { coachProfile, playerProfile, type SeasonPersonProfile, type SeasonTeamProfile, teamProfile } from "./profiles.ts"

export const SEASON_SOURCE = SIMULATOR_SOURCE

const DAY = 86_400_000
const HOUR = 3_600_000

export interface SeasonEvent {
  readonly key: string
  readonly name: string
  readonly tier: "S" | "A" | "B"
  readonly isLan: boolean
  readonly location: string
  readonly region: string
  readonly prizePool: number
  /** From 0 to 100. */
  readonly prestigeScore: number
  readonly format: string
  /** In seed order, starting with seed 1. */
  readonly seeds: ReadonlyArray<TeamRef>
  /** Epoch milliseconds. */
  readonly startsAt: number
  readonly endsAt: number
  /** In chronological order. */
  readonly matches: ReadonlyArray<ArchivedMatch>
  /** Empty until the tournament is finished. */
  readonly standings: Standings<TeamRef>
}

export interface SeasonOptions {
  readonly seed: number
  /** Epoch milliseconds. The tournaments are scheduled around this day. */
  readonly now: number
  /** Finished tournaments in the past year. The default of 14 gives most teams enough matches to be ranked. */
  readonly finished?: number
}

const cities = [
  ["Northwind Open", "Halvgard", "europe"],
  ["Ironwood Masters", "Brightport", "americas"],
  ["Lantern Cup", "Sunharbor", "asia"],
  ["Quarry Invitational", "Stonefield", "europe"],
  ["Meridian Championship", "Westhaven", "americas"],
  ["Aurora Series", "Nordfjell", "europe"],
] as const

/** First the teams and people of the world, then for each tournament its matches, followed by the tournament. */
export type SeasonStep =
  | { readonly _tag: "World"; readonly teams: ReadonlyArray<SeasonTeamProfile>; readonly people: ReadonlyArray<SeasonPersonProfile> }
  | { readonly _tag: "Match"; readonly match: ArchivedMatch }
  | { readonly _tag: "Tournament"; readonly tournament: SeasonEvent }

/** Yields after each match, because it takes about 20 ms to compute and the caller may have other work to do. */
export function* simulateSeason({ finished = 14, now, seed }: SeasonOptions): Generator<SeasonStep> {
  const today = Math.floor(now / DAY) * DAY
  const world = simulatedWorld(seed)
  const circuit = Array.from({ length: CIRCUIT }, (_, index) => world.team(index + 1))
  yield {
    _tag: "World",
    teams: circuit.map((team) => teamProfile(seed, team)),
    people: circuit.flatMap((team) => [...team.players.map((player) => playerProfile(seed, team, player)), coachProfile(seed, team)]),
  }
  const spacing = Math.floor(330 / Math.max(1, finished))
  const starts = [
    ...Array.from({ length: finished }, (_, index) => today - (finished - index) * spacing * DAY),
    today - DAY,
    today + 14 * DAY,
  ]
  const trades = Array.from({ length: finished }, (_, index) => tradeOf(new Random(childSeed(seed, 1_000 + index))))
  // The season must end with the lineups of the simulated world, so the initial ones result from all trades in reverse
  // order. A trade swaps two players and is its own inverse.
  for (const trade of trades.toReversed()) carryOut(trade, circuit)
  const appearances = new Map<string, number>()
  for (const [index, startsAt] of starts.entries()) {
    const teams = invited(new Random(childSeed(seed, 2_000 + index)), circuit, appearances)
    yield* tournament({ seed: childSeed(seed, index + 1), index, startsAt, now, teams })
    const trade = trades[index]
    if (trade !== undefined) carryOut(trade, circuit)
  }
}

/** The eight teams with the fewest tournaments so far, so that every team plays enough matches to be ranked. */
const invited = (random: Random, circuit: ReadonlyArray<SimulatedTeam>, appearances: Map<string, number>): ReadonlyArray<SimulatedTeam> => {
  const count = ({ id }: SimulatedTeam) => appearances.get(id) ?? 0
  const teams = random
    .shuffle([...circuit])
    .sort((a, b) => count(a) - count(b))
    .slice(0, 8)
  for (const team of teams) appearances.set(team.id, count(team) + 1)
  return teams
}
const PRIZES: Readonly<Record<string, number>> = { "1": 0.5, "2": 0.2, "3-4": 0.1, "5-8": 0.025 }

export const prizeOf = (place: string, prizePool: number): number => Math.round((PRIZES[place] ?? 0) * prizePool)

interface Tournament {
  readonly seed: number
  readonly index: number
  readonly startsAt: number
  readonly now: number
  readonly teams: ReadonlyArray<SimulatedTeam>
}

function* tournament({ index, now, seed, startsAt, teams }: Tournament): Generator<SeasonStep> {
  const random = new Random(seed)
  const [title, location, region] = cities[index % cities.length] ?? cities[0]
  const name = `${title} season ${Math.floor(index / cities.length) + 1}`
  const key = `season:${index}:${new Date(startsAt).toISOString().slice(0, 10)}`
  const tier = random.chance(0.3) ? "S" : random.chance(0.5) ? "A" : "B"
  const { bestOf, format, prestigeScore, prizePool } = tiers[tier]
  const event = { key, name, tier, isLan: tier !== "B" } as const
  const matches: Array<ArchivedMatch> = []
  const seeded = random.shuffle([...teams])
  const bracket = bracketOf(seeded, bestOf)
  let step = bracket.next(0)
  let isOpen = false
  while (step.done !== true) {
    const [pairing, one, two] = step.value
    const at = startsAt + pairing.day * DAY + (12 + 3 * (matches.length % 4)) * HOUR
    const number = matches.length + 1
    const { match, winner } = play({ key: `${key}:${number}`, seed: childSeed(seed, number), event, pairing, at, teams: [one, two] }, now)
    matches.push(match)
    yield { _tag: "Match", match }
    if (winner === undefined) isOpen = true
    step = bracket.next(winner ?? 0)
    // If a match of this round is not over yet, the pairings of the next round are unknown.
    if (isOpen && step.done !== true && step.value[0].round !== pairing.round) break
  }
  const tournament: SeasonEvent = {
    ...event,
    location,
    region,
    prizePool,
    prestigeScore,
    format,
    seeds: seeded.map(teamRef),
    startsAt,
    endsAt: startsAt + 5 * DAY,
    matches,
    standings: step.done === true && !isOpen ? step.value.map(({ place, team }) => ({ place, team: teamRef(team) })) : [],
  }
  yield { _tag: "Tournament", tournament: tournament }
}

const tiers: Readonly<Record<SeasonEvent["tier"], { bestOf: BestOfs; format: string; prestigeScore: number; prizePool: number }>> = {
  S: {
    bestOf: { "Quarter-final": 3, "Semi-final": 3, "Grand final": 5 },
    format: "single elimination, best of 3, grand final best of 5",
    prestigeScore: 90,
    prizePool: 500_000,
  },
  A: {
    bestOf: { "Quarter-final": 1, "Semi-final": 3, "Grand final": 3 },
    format: "single elimination, quarter-finals best of 1, then best of 3",
    prestigeScore: 65,
    prizePool: 200_000,
  },
  B: {
    bestOf: { "Quarter-final": 1, "Semi-final": 1, "Grand final": 3 },
    format: "single elimination, best of 1, grand final best of 3",
    prestigeScore: 40,
    prizePool: 50_000,
  },
}

interface Fixture {
  readonly key: string
  readonly seed: number
  readonly event: { readonly key: string; readonly name: string; readonly tier: "S" | "A" | "B"; readonly isLan: boolean }
  readonly pairing: Pairing
  readonly at: number
  readonly teams: readonly [SimulatedTeam, SimulatedTeam]
}

/** A match is over 6 hours after its start. Before that, the result is the announced match without `winner`. */
const play = ({ at, event, key, pairing, seed, teams }: Fixture, now: number) => {
  const announced: ArchivedMatch = {
    source: SEASON_SOURCE,
    key,
    status: "upcoming",
    startsAt: at,
    startsPrecision: "minute",
    event,
    stageName: pairing.round,
    bestOf: pairing.bestOf,
    isLan: event.isLan,
    teams: [teamRef(teams[0]), teamRef(teams[1])],
    lineups: [lineup(teams[0]), lineup(teams[1])],
    streamLinks: STREAMS,
    games: [],
    confidence: "high",
  }
  if (at + 6 * HOUR > now) return { match: announced, winner: undefined }
  const { maps, veto } = mapRecordsOf({ seed, matchId: matchId(1), bestOf: pairing.bestOf, teams, eventName: event.name })
  const games = maps.map(({ mapNumber, pickedBy, record, startedAt }) => ({
    ...shortened(archivedGame(record, mapNumber), at, now),
    pickedBy,
    playedAt: at + startedAt,
  }))
  const wins = (slot: TeamSlot) => games.filter(({ winner }) => winner === slot).length
  const score = [wins(0), wins(1)] as const
  const winner: TeamSlot = score[0] >= score[1] ? 0 : 1
  const last = maps.at(-1)?.record.rounds.at(-1)?.endedAt ?? 0
  const details = {
    veto: veto.map(({ action, map, team }, index) => ({ order: index + 1, action, team, map })),
    demoLinks: maps.map(({ mapNumber }) => demoLink(mapNumber)),
  }
  const match: ArchivedMatch = { ...announced, status: "completed", endsAt: at + last, score, winner, games, ...details }
  return { match, winner }
}

/** Invented matches have no broadcast, so the link leads to this server's own match page. */
const STREAMS: ReadonlyArray<MatchLink> = [{ url: "/?match={matchId}", platform: "matchpoint", language: "en" }]

/** Invented matches have no demo file, so the link leads to the events of the map in this server's API. */
const demoLink = (mapNumber: number): string => `/api/v1/cs2/games/{matchId}-map-${mapNumber}/events?limit=5000`

/**
 * In milliseconds. Grenades of older matches appear only in the player statistics, not as events. Grenade events are
 * half of all events, so this keeps the time to write a season to a few seconds.
 */
const THROWS_KEPT_MS = 120 * DAY
const throws: ReadonlySet<string> = new Set(["Flashbang", "Smoke", "FireGrenade", "HeGrenade", "Decoy"])

const shortened = (game: ArchivedGame, at: number, now: number): ArchivedGame =>
  now - at <= THROWS_KEPT_MS ? game : { ...game, events: game.events.filter(({ type }) => !throws.has(type)) }

const teamRef = ({ id, name }: SimulatedTeam): TeamRef => ({ key: id, name, teamNumber: teamNumber(id) })

const lineup = ({ players }: SimulatedTeam): ReadonlyArray<PlayerRef> =>
  players.map(({ id, nickname }) => ({ key: id, nickname, playerNumber: playerNumber(id) }))

/** Two teams exchange one player each. `teams` are indices in the circuit, `place` is the position in the lineup. */
interface Trade {
  readonly teams: readonly [number, number]
  readonly place: number
}

const tradeOf = (random: Random): Trade => {
  const [a = 0, b = 1] = random.shuffle(Array.from({ length: CIRCUIT }, (_, index) => index))
  return { teams: [a, b], place: random.int(0, 4) }
}

const carryOut = ({ place, teams: [a, b] }: Trade, circuit: Array<SimulatedTeam>): void => {
  const [one, two] = [circuit[a], circuit[b]]
  const [leaving, joining] = [one?.players[place], two?.players[place]]
  if (one === undefined || two === undefined || leaving === undefined || joining === undefined) return
  circuit[a] = withPlayer(one, place, joining)
  circuit[b] = withPlayer(two, place, leaving)
}

const withPlayer = (team: SimulatedTeam, place: number, player: SimulatedTeam["players"][number]): SimulatedTeam => {
  const [first, ...others] = team.players
  return place === 0
    ? { ...team, players: [player, ...others] }
    : { ...team, players: [first, ...others.map((one, index) => (index + 1 === place ? player : one))] }
}
