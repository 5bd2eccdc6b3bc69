import type { Draw, Query } from "../Draw.ts"
import { query } from "../Draw.ts"
import { type EndpointClass, fill, type MeasuredEndpoint } from "./EndpointClass.ts"

const at = (path: string, more: (draw: Draw) => Query = () => ({})): MeasuredEndpoint => ({
  path,
  address: (draw) => path + query(more(draw)),
})

const under = (path: string, sample: "apexSeries" | "apexTournament"): MeasuredEndpoint => ({
  path,
  address: (draw) => fill(path, draw.of(sample)),
})

const limit = (draw: Draw): Query => ({ limit: draw.maybe(0.4, () => draw.random.pick([20, 100])) })

const filtered = (draw: Draw): Query => ({ ...limit(draw), status: draw.maybe(0.3, () => draw.random.pick(["completed", "scheduled"])) })

export const apexClasses: ReadonlyArray<EndpointClass> = [
  {
    name: "apex series lists",
    weight: 2,
    endpoints: [at("/apex"), at("/apex/algs/events", filtered), at("/apex/algs/matches", filtered), at("/apex/algs/transactions", limit)],
  },
  {
    name: "one apex series",
    weight: 2,
    endpoints: [under("/apex/algs/events/:seriesId/scores", "apexSeries"), under("/apex/algs/events/:seriesId/bans", "apexSeries")],
  },
  {
    name: "apex statistics",
    weight: 2,
    endpoints: [
      at("/apex/algs/global-stats"),
      under("/apex/algs/global-stats/:eventId/players", "apexTournament"),
      under("/apex/algs/global-stats/:eventId/legends", "apexTournament"),
      under("/apex/algs/tournaments/:tournamentId/player-stats", "apexTournament"),
    ],
  },
  {
    name: "apex player search",
    weight: 1,
    endpoints: [at("/apex/algs/players/search", (draw) => ({ q: draw.of("apexPlayerName").slice(0, draw.random.int(3, 12)) }))],
  },
]
