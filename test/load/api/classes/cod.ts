import type { Draw, Query } from "../Draw.ts"
import { query } from "../Draw.ts"
import { type EndpointClass, fill, type MeasuredEndpoint } from "./EndpointClass.ts"

const at = (path: string, more: (draw: Draw) => Query = () => ({})): MeasuredEndpoint => ({
  path,
  address: (draw) => path + query(more(draw)),
})

const season = (draw: Draw): Query => ({ season: draw.maybe(0.4, () => draw.of("codSeason")) })

const ofTeam = (draw: Draw): Query => ({ team: draw.maybe(0.3, () => draw.of("codTeam")), ...season(draw) })

const completed = (draw: Draw): Query => ({
  ...draw.page("codMatches"),
  ...ofTeam(draw),
  tournamentId: draw.maybe(0.1, () => draw.of("codTournament")),
})

const one = "/cod/matches/:matchId"
const analytics = "/cod/analytics"

/** A statistic of each mode. */
const statOf = { hardpoint: "hillTime", snd: "firstBloods", control: "kills", overall: "kd" } as const

export const codClasses: ReadonlyArray<EndpointClass> = [
  {
    name: "cod standings and schedule",
    weight: 2,
    endpoints: [
      at("/cod/cdl/standings", season),
      at("/cod/standings", season),
      at("/cod/cdl/schedule", (draw) => ({ upcoming: draw.maybe(0.5, () => "false") })),
      at("/cod/schedule", (draw) => ({ upcoming: draw.maybe(0.5, () => "false") })),
    ],
  },
  {
    name: "cod match lists",
    weight: 2,
    endpoints: [at("/cod/matches", completed), at("/cod/matches/recent", completed), at("/cod/matches/upcoming", ofTeam)],
  },
  {
    name: "one cod match",
    weight: 2,
    endpoints: [
      { path: one, address: (draw) => fill(one, draw.of("codMatch")) },
      { path: `${one}/maps`, address: (draw) => fill(`${one}/maps`, draw.of("codMatch")) },
      {
        path: `${one}/maps/:mapNumber/player-stats`,
        address: (draw) => fill(`${one}/maps/:mapNumber/player-stats`, draw.of("codMatch"), String(draw.random.int(1, 3))),
      },
      {
        path: `${one}/player-stats`,
        address: (draw) => fill(`${one}/player-stats`, draw.of("codMatch")) + query({ includeMaps: draw.maybe(0.3, () => "false") }),
      },
    ],
  },
  {
    name: "cod leaderboards",
    weight: 1,
    endpoints: [
      at("/cod/leaderboards/earnings", season),
      {
        path: "/cod/leaderboards/:mode",
        address: (draw) => {
          const mode = draw.random.pick(["hardpoint", "snd", "control", "overall"] as const)
          return `/cod/leaderboards/${mode}${query({ stat: draw.maybe(0.7, () => statOf[mode]), ...season(draw) })}`
        },
      },
      {
        path: `${analytics}/leaderboard/:stat`,
        address: (draw) => `${analytics}/leaderboard/${draw.random.pick(["clutch_factor", "kd", "kills", "damage", "slaying"])}`,
      },
    ],
  },
  { name: "cod search", weight: 1, endpoints: [at("/cod/search", (draw) => ({ q: draw.of("codName").slice(0, draw.random.int(3, 12)) }))] },
  {
    name: "cod player analytics",
    weight: 1,
    endpoints: [
      {
        path: `${analytics}/players/:id/trends`,
        address: (draw) => {
          const period = draw.maybe(0.6, () => draw.random.pick(["match", "tournament", "season"]))
          return fill(`${analytics}/players/:id/trends`, draw.of("codPlayer")) + query({ period, stat: draw.random.pick(["kd", "kills"]) })
        },
      },
      {
        path: `${analytics}/players/:id/clutch-factor`,
        address: (draw) => fill(`${analytics}/players/:id/clutch-factor`, draw.of("codPlayer")),
      },
      at(`${analytics}/head-to-head`, (draw) => ({ player1: draw.of("codPlayer"), player2: draw.of("otherCodPlayer") })),
      at(`${analytics}/compare`, (draw) => ({ players: `${draw.of("codPlayer")},${draw.of("otherCodPlayer")}` })),
    ],
  },
  {
    name: "cod team analytics",
    weight: 1,
    endpoints: [
      {
        path: `${analytics}/teams/:slug/style`,
        address: (draw) => fill(`${analytics}/teams/:slug/style`, draw.of("codTeam")),
      },
      at(`${analytics}/teams/head-to-head`, (draw) => {
        const [team1, team2] = draw.of("codPair").split(" ")
        return { team1, team2 }
      }),
      at(`${analytics}/teams/map-comparison`, (draw) => ({ teams: draw.of("codPair").replace(" ", ",") })),
    ],
  },
]
