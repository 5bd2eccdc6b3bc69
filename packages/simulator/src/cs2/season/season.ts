/**
 * A year of invented tournaments out of a seed: finished ones, one being played, one announced; so that nothing of a fresh server is
 * empty. The same seed and day give the same season. Teams and players are those of the simulated world; some change teams on the way.
 */
import type { ArchivedMatch, PlayerRef, TeamRef, TeamSlot } from "@matchpoint/domain/cs2/archive/ArchivedMatch"
import { SIMULATOR_SOURCE } from "@matchpoint/domain/cs2/archive/sources"
import { matchId, playerNumber, teamNumber } from "@matchpoint/domain/cs2/ids"
import { archivedGame } from "@matchpoint/domain/cs2/statistics/archivedGame"
import { childSeed, Random } from "../../random.ts"
import type { SimulatedTeam } from "../team.ts"
import { simulatedWorld } from "../world.ts"
import { bracketOf, type Pairing, type Standings } from "./bracket.ts"
import { mapRecordsOf } from "./mapRecords.ts"

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
  /** Epoch ms. */
  readonly startsAt: number
  readonly endsAt: number
  /** What has been played and what is announced, in order of time. */
  readonly matches: ReadonlyArray<ArchivedMatch>
  /** Empty while it is played. */
  readonly standings: Standings<TeamRef>
}

export interface SeasonOptions {
  readonly seed: number
  /** Epoch ms; the season is laid around its day. */
  readonly now: number
  /** Default 14, so that most teams have been in enough matches to be ranked: finished tournaments of the year before. */
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

/** A match as it has been played or announced, and a tournament when all of its matches have been told. */
export type SeasonStep =
  | { readonly _tag: "Match"; readonly match: ArchivedMatch }
  | { readonly _tag: "Tournament"; readonly tournament: SeasonEvent }

/** One match at a time, for each is some 50 ms of work. */
export function* simulateSeason({ finished = 14, now, seed }: SeasonOptions): Generator<SeasonStep> {
  const today = Math.floor(now / DAY) * DAY
  const world = simulatedWorld(seed)
  const circuit = Array.from({ length: CIRCUIT }, (_, index) => world.team(index + 1))
  const spacing = Math.floor(330 / Math.max(1, finished))
  const starts = [
    ...Array.from({ length: finished }, (_, index) => today - (finished - index) * spacing * DAY),
    today - DAY,
    today + 14 * DAY,
  ]
  for (const [index, startsAt] of starts.entries()) {
    yield* tournament({ seed: childSeed(seed, index + 1), index, startsAt, now, teams: circuit })
    moveSomebody(new Random(childSeed(seed, 1_000 + index)), circuit)
  }
}

const CIRCUIT = 16
const PRIZES: Readonly<Record<string, number>> = { "1": 0.5, "2": 0.2, "3-4": 0.1, "5-8": 0.025 }

/** What a place is worth, of the whole. */
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
  const tier = random.chance(0.4) ? "S" : random.chance(0.5) ? "A" : "B"
  const event = { key, name, tier, isLan: tier !== "B" } as const
  const matches: Array<ArchivedMatch> = []
  const bracket = bracketOf(random.shuffle([...teams]).slice(0, 8))
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
    // Whoever plays whom in a round to come is not known before this one is over.
    if (isOpen && step.done !== true && step.value[0].round !== pairing.round) break
  }
  const told: SeasonEvent = {
    ...event,
    location,
    region,
    prizePool: { S: 500_000, A: 200_000, B: 50_000 }[tier],
    startsAt,
    endsAt: startsAt + 5 * DAY,
    matches,
    standings: step.done === true && !isOpen ? step.value.map(({ place, team }) => ({ place, team: teamRef(team) })) : [],
  }
  yield { _tag: "Tournament", tournament: told }
}

interface Fixture {
  readonly key: string
  readonly seed: number
  readonly event: { readonly key: string; readonly name: string; readonly tier: "S" | "A" | "B"; readonly isLan: boolean }
  readonly pairing: Pairing
  readonly at: number
  readonly teams: readonly [SimulatedTeam, SimulatedTeam]
}

/** Undefined winner: it has not been played by `now`. */
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
    games: [],
    confidence: "high",
  }
  if (at + 6 * HOUR > now) return { match: announced, winner: undefined }
  const maps = mapRecordsOf({ seed, matchId: matchId(1), bestOf: pairing.bestOf, teams, eventName: event.name })
  const games = maps.map(({ mapNumber, pickedBy, record, startedAt }) => ({
    ...archivedGame(record, mapNumber),
    pickedBy,
    playedAt: at + startedAt,
  }))
  const wins = (slot: TeamSlot) => games.filter(({ winner }) => winner === slot).length
  const score = [wins(0), wins(1)] as const
  const winner: TeamSlot = score[0] >= score[1] ? 0 : 1
  const last = maps.at(-1)?.record.rounds.at(-1)?.endedAt ?? 0
  const match: ArchivedMatch = { ...announced, status: "completed", endsAt: at + last, score, winner, games }
  return { match, winner }
}

const teamRef = ({ id, name }: SimulatedTeam): TeamRef => ({ key: id, name, teamNumber: teamNumber(id) })

const lineup = ({ players }: SimulatedTeam): ReadonlyArray<PlayerRef> =>
  players.map(({ id, nickname }) => ({ key: id, nickname, playerNumber: playerNumber(id) }))

/** Two teams trade a player each. */
const moveSomebody = (random: Random, teams: Array<SimulatedTeam>): void => {
  const [a = 0, b = 1] = random.shuffle(teams.map((_, index) => index))
  const one = teams[a]
  const two = teams[b]
  const place = random.int(0, 4)
  const leaving = one?.players[place]
  const coming = two?.players[place]
  if (one === undefined || two === undefined || leaving === undefined || coming === undefined) return
  teams[a] = withPlayer(one, place, coming)
  teams[b] = withPlayer(two, place, leaving)
}

const withPlayer = (team: SimulatedTeam, place: number, player: SimulatedTeam["players"][number]): SimulatedTeam => {
  const [first, ...others] = team.players
  return place === 0
    ? { ...team, players: [player, ...others] }
    : { ...team, players: [first, ...others.map((one, index) => (index + 1 === place ? player : one))] }
}
