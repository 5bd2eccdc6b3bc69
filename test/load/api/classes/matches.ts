import type { Draw } from "../Draw.ts"
import { query } from "../Draw.ts"
import type { SampleName } from "../samples.ts"
import { type EndpointClass, fill, type MeasuredEndpoint } from "./EndpointClass.ts"

const filters = (draw: Draw) => ({
  team: draw.maybe(0.25, () => draw.of("team")),
  event: draw.maybe(0.15, () => draw.of("event")),
  tier: draw.maybe(0.1, () => draw.random.pick(["S", "A", "B", "C"])),
  best_of: draw.maybe(0.1, () => draw.random.pick([1, 3, 5])),
  ...draw.maybe(0.2, () => draw.range()),
})

const list = (
  path: string,
  share: number,
  more: (draw: Draw) => { readonly status?: string | undefined } = () => ({}),
): MeasuredEndpoint => ({
  path,
  share,
  address: (draw) => path + query(draw.page("matches"), filters(draw), more(draw)),
})

const of = (sample: SampleName, path: string, share = 1): MeasuredEndpoint => ({
  path,
  share,
  address: (draw) => fill(path, draw.of(sample)),
})

const matchLists: EndpointClass = {
  name: "match lists",
  weight: 18,
  endpoints: [
    list("/cs2/matches", 3, (draw) => ({
      status: draw.maybe(0.4, () => draw.random.pick(["completed", "upcoming", "live", "scheduled"])),
    })),
    list("/cs2/matches/upcoming", 2),
    list("/cs2/matches/recent", 4),
  ],
}

const oneMatch: EndpointClass = { name: "one match", weight: 18, endpoints: [of("match", "/cs2/matches/:matchId")] }

const games: EndpointClass = {
  name: "games and rounds",
  weight: 10,
  endpoints: [
    of("matchWithMaps", "/cs2/matches/:matchId/player-stats", 2),
    of("matchWithMaps", "/cs2/matches/:matchId/games"),
    of("matchWithMaps", "/cs2/matches/:matchId/maps", 2),
    of("match", "/cs2/matches/:matchId/demos"),
    of("game", "/cs2/games/:gameId", 2),
    of("gameWithLines", "/cs2/games/:gameId/stats"),
    of("gameWithLines", "/cs2/games/:gameId/player-stats"),
    of("gameWithLines", "/cs2/maps/:mapId/stats"),
    of("gameWithLines", "/cs2/maps/:mapId/player-stats"),
    of("gameWithLines", "/cs2/games/:gameId/rounds"),
    of("gameWithLines", "/cs2/maps/:mapId/rounds"),
  ],
}

const kinds = ["Kill", "BombPlanted", "Flashbang", "Smoke", "RoundEnd"] as const
const mapEvents = "/cs2/games/:gameId/events"

const events: EndpointClass = {
  name: "map events",
  weight: 2,
  endpoints: [
    {
      path: mapEvents,
      address: (draw) =>
        fill(mapEvents, draw.of("gameWithEvents")) +
        query({
          type: draw.maybe(0.3, () => draw.random.pick(kinds)),
          round: draw.maybe(0.2, () => draw.random.int(1, 20)),
          limit: draw.maybe(0.1, () => 5_000),
          page: draw.maybe(0.2, () => 2),
        }),
    },
  ],
}

export const matchClasses: ReadonlyArray<EndpointClass> = [matchLists, oneMatch, games, events]
