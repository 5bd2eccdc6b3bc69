import type { Draw } from "../Draw.ts"
import { query } from "../Draw.ts"
import { type EndpointClass, fill, type MeasuredEndpoint } from "./EndpointClass.ts"

const metrics = ["rating", "adr", "kast", "kd", "kills", "opening-kills"] as const
const tables = [
  "players",
  "teams",
  "maps",
  "weapons",
  "pistol-rounds",
  "opening-duels",
  "clutches",
  "flash-assists",
  "utility",
  "economy",
] as const

type Window = (draw: Draw) => number | undefined

/** No window, or one of the windows that web pages offer. */
const usual: Window = (draw) => draw.random.pick([undefined, undefined, undefined, 30, 90, 180, 365])

/** Any other window. */
const odd: Window = (draw) => draw.random.int(121, 364)

const asked = (draw: Draw, window: Window) =>
  query({
    days: window(draw),
    min_maps: draw.maybe(0.3, () => draw.random.pick([1, 5, 20])),
    limit: draw.maybe(0.3, () => draw.random.pick([10, 200])),
    page: draw.maybe(0.15, () => 2),
  })

const leaderboard = "/cs2/leaderboards/:metric"

const lists = (window: Window): ReadonlyArray<MeasuredEndpoint> => [
  { path: leaderboard, share: 3, address: (draw) => fill(leaderboard, draw.random.pick(metrics)) + asked(draw, window) },
  ...tables.map((table) => ({ path: `/cs2/stats/${table}`, address: (draw: Draw) => `/cs2/stats/${table}${asked(draw, window)}` })),
]

const two = (draw: Draw) => {
  const [team1, team2] = draw.of("pair").split(" ")
  return { team1, team2 }
}

const betweenTeams: ReadonlyArray<MeasuredEndpoint> = [
  { path: "/cs2/head-to-head", address: (draw) => `/cs2/head-to-head${query(two(draw), draw.maybe(0.3, () => draw.range()) ?? {})}` },
  {
    path: "/cs2/stats/head-to-head",
    address: (draw) => `/cs2/stats/head-to-head${query(two(draw), { days: draw.maybe(0.3, () => 365) })}`,
  },
  { path: "/cs2/stats/form", address: (draw) => `/cs2/stats/form${query({ team: draw.of("team"), limit: draw.maybe(0.3, () => 50) })}` },
]

export const statisticsClasses: ReadonlyArray<EndpointClass> = [
  { name: "statistics, usual window", weight: 5, endpoints: lists(usual) },
  { name: "statistics, odd window", weight: 1, endpoints: lists(odd), again: true },
  { name: "head-to-head and form", weight: 3, endpoints: betweenTeams },
]
