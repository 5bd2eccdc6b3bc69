import type { Draw, Query } from "../Draw.ts"
import { query } from "../Draw.ts"
import { type EndpointClass, fill, type MeasuredEndpoint } from "./EndpointClass.ts"

const plain = (path: string, more: (draw: Draw) => Query = () => ({})): MeasuredEndpoint => ({
  path,
  address: (draw) => path + query(more(draw)),
})

const regions = ["europe", "americas", "asia"] as const

const eventLists = (root: string): ReadonlyArray<MeasuredEndpoint> => [
  plain(`${root}/live`),
  plain(`${root}/upcoming`),
  plain(`${root}/recent`, (draw) => draw.page("events")),
  plain(`${root}/calendar`, (draw) => ({ ...draw.maybe(0.6, () => draw.range()), limit: draw.maybe(0.2, () => 250) })),
  plain(`${root}/active`, (draw) => ({ summary: draw.maybe(0.3, () => "true"), upcomingLimit: draw.maybe(0.2, () => 50) })),
  plain(root, (draw) => ({
    ...draw.page("events"),
    ...draw.maybe(0.2, () => draw.range()),
    tier: draw.maybe(0.2, () => draw.random.pick(["S", "A", "B", "C"])),
    q: draw.maybe(0.2, () => draw.of("name").slice(0, 5)),
    summary: draw.maybe(0.2, () => "true"),
    lan: draw.maybe(0.1, () => "true"),
  })),
]

const oneEvent = (root: string): ReadonlyArray<MeasuredEndpoint> => [
  { path: `${root}/:eventIdOrSlug`, share: 2, address: (draw) => `${root}/${draw.of("event")}` },
  { path: `${root}/:eventId/participants`, address: (draw) => `${root}/${draw.of("event")}/participants` },
  { path: `${root}/:eventId/matches`, address: (draw) => `${root}/${draw.of("event")}/matches${query(draw.page("events"))}` },
  { path: `${root}/:eventId/standings`, address: (draw) => `${root}/${draw.of("event")}/standings` },
]

const events: ReadonlyArray<EndpointClass> = [
  { name: "event lists", weight: 5, endpoints: [...eventLists("/cs2/events"), ...eventLists("/cs2/tournaments")] },
  { name: "one event", weight: 6, endpoints: [...oneEvent("/cs2/events"), ...oneEvent("/cs2/tournaments")] },
]

const teams: ReadonlyArray<EndpointClass> = [
  {
    name: "teams",
    weight: 3,
    endpoints: [
      plain("/cs2/teams", (draw) => ({
        ...draw.page("teams"),
        q: draw.maybe(0.2, () => draw.of("name").slice(0, 4)),
        region: draw.maybe(0.1, () => draw.random.pick(regions)),
        country: draw.maybe(0.1, () => draw.of("teamCountry")),
        ranked: draw.maybe(0.1, () => draw.random.pick(["true", "false"])),
        sort: draw.maybe(0.2, () => "name"),
      })),
    ],
  },
  {
    name: "team profile",
    weight: 7,
    endpoints: [
      { path: "/cs2/teams/:teamIdOrSlug", share: 3, address: (draw) => fill("/cs2/teams/:teamIdOrSlug", draw.of("team")) },
      {
        path: "/cs2/teams/:teamId/trends",
        address: (draw) =>
          fill("/cs2/teams/:teamId/trends", draw.of("team")) +
          query({ unit: draw.maybe(0.3, () => "quarter"), ...draw.maybe(0.3, () => draw.range()) }),
      },
    ],
  },
]

const players: ReadonlyArray<EndpointClass> = [
  {
    name: "players",
    weight: 3,
    endpoints: [
      plain("/cs2/players", (draw) => ({
        ...draw.page("players"),
        q: draw.maybe(0.2, () => draw.of("name").slice(0, 4)),
        team: draw.maybe(0.2, () => draw.of("team")),
        country: draw.maybe(0.1, () => draw.of("playerCountry")),
        min_maps: draw.maybe(0.1, () => draw.random.pick([1, 10, 100])),
        sort: draw.maybe(0.3, () => draw.random.pick(["rating", "name"])),
      })),
    ],
  },
  {
    name: "player profile",
    weight: 8,
    endpoints: [
      { path: "/cs2/players/:playerIdOrSlug", share: 3, address: (draw) => `/cs2/players/${draw.of("player")}` },
      {
        path: "/cs2/players/:playerIdOrSlug/stats",
        share: 2,
        address: (draw) =>
          `/cs2/players/${draw.of("player")}/stats` +
          query({
            map: draw.maybe(0.2, () => draw.random.pick(["de_mirage", "de_inferno", "de_nuke"])),
            page: draw.maybe(0.1, () => 2),
            ...draw.maybe(0.2, () => draw.range()),
          }),
      },
      { path: "/cs2/players/:playerId/career", address: (draw) => `/cs2/players/${draw.of("player")}/career` },
      { path: "/cs2/players/:playerId/seasons", address: (draw) => `/cs2/players/${draw.of("player")}/seasons` },
    ],
  },
]

const ranking = (path: string) =>
  plain(path, (draw) => ({
    source: draw.maybe(0.5, () => draw.random.pick(["world", "vrs"])),
    region: draw.maybe(0.2, () => draw.random.pick(regions)),
    date: draw.maybe(0.3, () => draw.of("rankingDay")),
    team: draw.maybe(0.1, () => draw.of("team")),
    limit: draw.maybe(0.3, () => draw.random.pick([20, 500])),
    page: draw.maybe(0.1, () => 2),
  }))

const moves = (draw: Draw) => ({
  ...draw.page("transfers", 200),
  ...draw.maybe(0.2, () => {
    const { from, to } = draw.range()
    return { after: from, before: to }
  }),
  team: draw.maybe(0.2, () => draw.of("team")),
  player: draw.maybe(0.1, () => draw.of("player")),
  status: draw.maybe(0.1, () => draw.random.pick(["joined", "left", "transferred", "benched"])),
  include_undated: draw.maybe(0.1, () => "true"),
})

const rostersOverTime: ReadonlyArray<EndpointClass> = [
  { name: "rankings", weight: 4, endpoints: [ranking("/cs2/rankings"), ranking("/cs2/rankings/teams")] },
  {
    name: "transfers",
    weight: 3,
    endpoints: [
      plain("/cs2/roster-changes/recent", (draw) => ({
        ...draw.page("rosterChanges", 200),
        teamId: draw.maybe(0.2, () => draw.of("team")),
        playerId: draw.maybe(0.1, () => draw.of("player")),
      })),
      plain("/cs2/transfers/recent", (draw) => ({ ...moves(draw), sort: draw.maybe(0.2, () => "oldest") })),
      plain("/cs2/transfers", moves),
      { path: "/cs2/players/:playerId/transfers", address: (draw) => `/cs2/players/${draw.of("player")}/transfers` },
      { path: "/cs2/teams/:teamId/roster-history", address: (draw) => `/cs2/teams/${draw.of("team")}/roster-history` },
    ],
  },
]

export const entityClasses: ReadonlyArray<EndpointClass> = [...events, ...teams, ...players, ...rostersOverTime]
