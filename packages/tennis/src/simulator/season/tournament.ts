/** Plays a tournament of the simulated tours round by round, up to the present. No side effects. */
import { childSeed, Random } from "@matchpoint/simulator/random"
import type { MatchSide, SimulatedMatch } from "./archiveLines.ts"
import type { Competition, Surface } from "./competitions.ts"
import { drawOf, type Entrant, roundName } from "./draw.ts"
import { type PlayedMatch, playMatch, type ServeChances } from "./matchPlay.ts"
import { pointsOf, type RankingRow, type TournamentResult } from "./rankingPoints.ts"
import type { TourPlayer } from "./tourPlayers.ts"

const DAY = 86_400_000

export interface TournamentOptions {
  readonly seed: number
  readonly competition: Competition
  readonly tournamentId: string
  /** Milliseconds since the Unix epoch. */
  readonly startsAt: number
  /** The present day. Its first matches are over, and later days have not been played. */
  readonly today: number
  /** The latest list before the tournament. */
  readonly ranking: ReadonlyArray<RankingRow>
}

export interface PlayedTournament extends TournamentResult {
  readonly matches: ReadonlyArray<SimulatedMatch>
}

export const playTournament = (options: TournamentOptions): PlayedTournament => {
  const { competition, ranking, seed, startsAt, today, tournamentId } = options
  const random = new Random(seed)
  const sides = new Map(ranking.map((row) => [row.player.number, row]))
  const rankOf = ({ number }: TourPlayer) => sides.get(number)?.rank ?? ranking.length
  const form = new Map(ranking.map(({ player }) => [player.number, FORM * random.normal()]))
  const sideOf = (entrant: Entrant): MatchSide => {
    const row = sides.get(entrant.player.number)
    return { entrant, rank: row?.rank ?? ranking.length, points: row?.points ?? 0 }
  }
  const points = new Map<number, number>()
  const matches: Array<SimulatedMatch> = []
  let field = drawOf(random, candidatesOf(random, competition, ranking), rankOf, competition.shape)
  let number = 0
  let isOpen = false

  for (let round = 0; field.length > 1 && !isOpen; round += 1) {
    const days = competition.days[round] ?? []
    const next: Array<Entrant | undefined> = []
    const count = field.length / 2
    for (let index = 0; index < count; index += 1) {
      number += 1
      const [one, two] = [field[2 * index], field[2 * index + 1]]
      if (one === undefined || two === undefined) {
        next.push(one ?? two)
        continue
      }
      const share = (index * days.length) / count
      const day = startsAt + (days[Math.floor(share)] ?? 0) * DAY
      // The first half of today's matches is over.
      if (day > today || (day === today && share % 1 >= 0.5) || (day === today && count === 1)) {
        isOpen = true
        continue
      }
      const play = new Random(childSeed(seed, number))
      const played = playMatch(play, chancesOf(one.player, two.player, competition.surface, form), competition.bestOf)
      const [winner, loser] = played.winner === 0 ? [one, two] : [two, one]
      matches.push({
        competition,
        tournamentId,
        day,
        number,
        round: roundName(field.length),
        sides: [sideOf(one), sideOf(two)],
        played,
        minutes: minutesOf(play, played),
      })
      points.set(loser.player.number, pointsOf(competition.rank, field.length))
      next.push(winner)
    }
    field = next
  }
  const [winner] = field
  if (!isOpen && winner !== undefined) points.set(winner.player.number, pointsOf(competition.rank, 1))
  const lastDay = competition.days.at(-1)?.[0] ?? 0
  return { matches, points, endedAt: startsAt + lastDay * DAY }
}

/** Standard deviation of a player's strength from one tournament to the next, as a probability of a point. */
const FORM = 0.008

/** Orders the players by rank. The smaller a tournament is, the more of the best players do not take part. */
const candidatesOf = (random: Random, { rank }: Competition, ranking: ReadonlyArray<RankingRow>): ReadonlyArray<TourPlayer> =>
  ranking
    .map((row) => ({ player: row.player, at: row.rank + absence[rank] * random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ player }) => player)

const absence = { grand: 8, major: 25, regular: 100 }

/** Averages of the tours: ace and double fault per serve, and points won on serve. */
const averages = {
  atp: { firstIn: 0.625, firstWon: 0.716, secondWon: 0.56, ace: 0.115, doubleFault: 0.093 },
  wta: { firstIn: 0.625, firstWon: 0.635, secondWon: 0.53, ace: 0.056, doubleFault: 0.139 },
}

const speed: Readonly<Record<Surface, number>> = { Hard: 0, Clay: -0.025, Grass: 0.025 }

const chancesOf = (
  one: TourPlayer,
  two: TourPlayer,
  surface: Surface,
  form: ReadonlyMap<number, number>,
): readonly [ServeChances, ServeChances] => {
  const strength = (player: TourPlayer) => player.surfaces[surface] + (form.get(player.number) ?? 0)
  const serves = (server: TourPlayer, returner: TourPlayer): ServeChances => {
    const average = averages[server.tour]
    const better = server.serve + strength(server) - returner.return - strength(returner) + speed[surface]
    const firstWon = average.firstWon + better
    return {
      firstIn: average.firstIn,
      firstWon,
      secondWon: average.secondWon + better,
      ace: Math.min(firstWon, average.ace * server.aceFactor * (1 + 10 * speed[surface])),
      doubleFault: average.doubleFault,
    }
  }
  return [serves(one, two), serves(two, one)]
}

const minutesOf = (random: Random, { ending, serve, sets }: PlayedMatch): number | null =>
  ending === "walkover" ? null : Math.round((serve[0].servePoints + serve[1].servePoints) * random.between(0.62, 0.75) + 4 * sets.length)
