// Owns the measured classes of tennis endpoints: endpoints that are requested alike and whose cost is one number.
import { Random } from "@matchpoint/simulator/random"
import { type Query, query } from "../api/Draw.ts"
import type { SampleName, Samples } from "./samples.ts"

export interface TennisEndpoint {
  /** Path as in the contract, below the API's root. */
  readonly path: string
  /** Path and query of one request, below the API's root. */
  readonly address: (draw: TennisDraw) => string
}

export interface TennisClass {
  readonly name: string
  readonly endpoints: ReadonlyArray<TennisEndpoint>
}

const HOT_SHARE = 0.6

/** Draws the values of requests. The same seed draws the same requests. */
export class TennisDraw {
  readonly random: Random
  readonly #samples: Samples

  constructor(samples: Samples, seed: number) {
    this.#samples = samples
    this.random = new Random(seed)
  }

  /** Draws a value of a sample. The first of the hot values are drawn most often. Empty if the database has none. */
  of(name: SampleName): string {
    const { cold, hot } = this.#samples[name]
    const place = this.random.chance(HOT_SHARE) ? hot[Math.floor(hot.length * this.random.next() ** 2)] : undefined
    return place ?? cold[this.random.int(0, cold.length - 1)] ?? hot[0] ?? ""
  }

  /** Draws the parts of a value that is separated by a space. */
  two(name: SampleName): readonly [string, string] {
    const [one = "", other = ""] = this.of(name).split(" ")
    return [one, other]
  }

  maybe<A>(chance: number, draw: () => A): A | undefined {
    return this.random.chance(chance) ? draw() : undefined
  }

  page(): Query {
    return { limit: this.maybe(0.4, () => this.random.pick([20, 100])), page: this.maybe(0.3, () => this.random.int(2, 5)) }
  }

  tour(): string {
    return this.random.pick(["ATP", "WTA"])
  }

  surface(): string {
    return this.random.pick(["Hard", "Clay", "Grass"])
  }
}

const at = (path: string, more: (draw: TennisDraw) => Query = () => ({})): TennisEndpoint => ({
  path,
  address: (draw) => path + query(more(draw)),
})

/** An endpoint with one id in its path. */
const under = (path: string, sample: SampleName, more: (draw: TennisDraw) => Query = () => ({})): TennisEndpoint => ({
  path,
  address: (draw) => path.replace(/:[A-Za-z]+/u, draw.two(sample)[0]) + query(more(draw)),
})

const years = (draw: TennisDraw): Query => {
  const year = Number(draw.two("season")[1])
  return { year_from: year, year_to: year + draw.random.int(0, 5) }
}

const filters = (draw: TennisDraw): Query => ({
  surface: draw.maybe(0.25, () => draw.surface()),
  level: draw.maybe(0.15, () => draw.random.pick(["G", "M", "PM", "A"])),
  year: draw.maybe(0.25, () => draw.two("season")[1]),
  round: draw.maybe(0.1, () => draw.random.pick(["F", "SF", "R32"])),
})

const season = (draw: TennisDraw): Query => {
  const [tour, year] = draw.two("season")
  return { tour: tour.toUpperCase(), year }
}

const rankingDay = (draw: TennisDraw): Query => {
  const [tour, date] = draw.two("rankingDay")
  return { tour: tour.toUpperCase(), date }
}

/** Returns the word with one letter left out or replaced, or its beginning, as people type it. */
const typed = (draw: TennisDraw, word: string): string => {
  const place = draw.random.int(1, Math.max(1, word.length - 2))
  return draw.random.pick([
    word,
    word.slice(0, Math.max(3, Math.ceil(word.length / 2))),
    `${word.slice(0, place)}${word.slice(place + 1)}`,
    `${word.slice(0, place)}x${word.slice(place + 1)}`,
  ])
}

const one = "/tennis/players/:playerId"
const match = "/tennis/matches/:matchId"
const tournament = "/tennis/tournaments/:tournamentId"

export const classes: ReadonlyArray<TennisClass> = [
  {
    name: "players",
    endpoints: [
      at("/tennis/players", (draw) => ({
        ...draw.page(),
        tour: draw.maybe(0.5, () => draw.tour()),
        q: draw.maybe(0.3, () => draw.of("lastName")),
      })),
    ],
  },
  { name: "player search", endpoints: [at("/tennis/players/search", (draw) => ({ q: typed(draw, draw.of("lastName")) }))] },
  {
    name: "player profile",
    endpoints: [
      under(one, "player"),
      at("/tennis/players/batch", (draw) => ({
        ids: Array.from({ length: draw.random.pick([2, 10, 50]) }, () => draw.of("player")).join(),
      })),
    ],
  },
  {
    name: "player stats",
    endpoints: [
      under(`${one}/stats`, "player", (draw) => ({
        surface: draw.maybe(0.4, () => draw.surface()),
        level: draw.maybe(0.2, () => "G"),
        ...draw.maybe(0.3, () => years(draw)),
      })),
    ],
  },
  { name: "player matches", endpoints: [under(`${one}/matches`, "player", (draw) => ({ ...draw.page(), ...filters(draw) }))] },
  {
    name: "match lists",
    endpoints: [
      at("/tennis/matches", (draw) => ({
        ...draw.page(),
        ...filters(draw),
        tour: draw.maybe(0.4, () => draw.tour()),
        player_id: draw.maybe(0.4, () => draw.of("player")),
        tournament: draw.maybe(0.15, () => draw.of("tournamentName")),
      })),
      at("/tennis/matches/recent", (draw) => ({ tour: draw.maybe(0.6, () => draw.tour()) })),
      at("/tennis/matches/completed", (draw) => ({ date: draw.of("day") })),
    ],
  },
  {
    name: "one match",
    endpoints: [match, `${match}/stats`, `${match}/timeline`, `${match}/status`, `${match}/tournament-link`].map((path) =>
      under(path, "match"),
    ),
  },
  {
    name: "head-to-head",
    endpoints: [
      at("/tennis/h2h", (draw) => {
        const [player1_id, player2_id] = draw.two("pair")
        return {
          player1_id,
          player2_id,
          surface: draw.maybe(0.2, () => draw.surface()),
          level: draw.maybe(0.1, () => "G"),
          ...draw.maybe(0.1, () => years(draw)),
        }
      }),
    ],
  },
  {
    name: "head-to-head matrix",
    endpoints: [
      at("/tennis/h2h/matrix", (draw) => ({
        player_ids: [...new Set(Array.from({ length: draw.random.int(2, 5) }, () => draw.two("pair")).flat())].join(),
      })),
    ],
  },
  {
    name: "ranking tables",
    endpoints: [
      at("/tennis/rankings", (draw) => ({ ...rankingDay(draw), ...draw.page() })),
      at("/tennis/rankings/top", (draw) => ({ tour: draw.tour(), top_n: draw.maybe(0.5, () => draw.random.pick([5, 20, 100])) })),
      at("/tennis/rankings/dates", (draw) => season(draw)),
      { path: "/tennis/rankings/:circuit", address: (draw) => `/tennis/rankings/${draw.random.pick(["atp", "wta"])}${query(draw.page())}` },
      at("/tennis/standings", (draw) => ({ tour: draw.tour(), top_n: draw.maybe(0.5, () => draw.random.pick([5, 20, 100])) })),
    ],
  },
  { name: "ranking history", endpoints: [under("/tennis/rankings/history/:playerId", "player")] },
  {
    name: "ranking movers",
    endpoints: [
      at("/tennis/rankings/movers", (draw) => ({ tour: draw.tour(), direction: draw.maybe(0.5, () => draw.random.pick(["up", "down"])) })),
    ],
  },
  {
    name: "tournaments",
    endpoints: [
      at("/tennis/tournaments", (draw) => ({
        ...draw.page(),
        tour: draw.maybe(0.5, () => draw.tour()),
        surface: draw.maybe(0.3, () => draw.surface()),
        level: draw.maybe(0.3, () => draw.random.pick(["G", "M", "PM", "A"])),
      })),
      at("/tennis/tournaments/calendar", (draw) => ({ year: draw.two("season")[1] })),
      under(tournament, "edition"),
      at("/tennis/competitions", (draw) => ({ q: draw.maybe(0.6, () => draw.of("tournamentName")), ...draw.page() })),
    ],
  },
  {
    name: "draws",
    endpoints: [
      under(`${tournament}/draw`, "edition"),
      under(`${tournament}/bracket`, "edition"),
      under(`${tournament}/schedule`, "edition"),
      {
        path: `${tournament}/editions/:year/draw`,
        address: (draw) => {
          const [competition, year] = draw.two("competition")
          return `/tennis/tournaments/${competition}/editions/${year}/draw`
        },
      },
    ],
  },
  {
    name: "leaderboards",
    endpoints: [
      {
        path: "/tennis/leaderboards/:board",
        address: (draw) => `/tennis/leaderboards/${draw.random.pick(boards)}${query(season(draw))}`,
      },
    ],
  },
  { name: "schedule", endpoints: [at("/tennis/schedule", (draw) => ({ date: draw.of("day") }))] },
  { name: "coverage", endpoints: [at("/tennis/coverage"), at("/tennis/health"), at("/tennis/health/sync")] },
]

/** Endpoints that are not measured: live state comes from memory, and odds are announced only. */
export const unmeasured: ReadonlyArray<string> = [
  "/tennis/live",
  "/tennis/matches/live",
  "/tennis/matches/live/:matchId",
  "/tennis/odds/:matchId",
  "/tennis/odds/:matchId/live",
]

const boards = [
  "aces",
  "1st-serve-won",
  "break-conversion",
  "break-points-saved",
  "comeback-wins",
  "deciding-set-record",
  "finals-record",
  "return-games-won",
  "tiebreak-win-pct",
] as const
