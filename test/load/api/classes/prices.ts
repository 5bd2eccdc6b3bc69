import { query } from "../Draw.ts"
import type { EndpointClass } from "./EndpointClass.ts"

const wears = ["Factory New", "Minimal Wear", "Field-Tested", "Well-Worn", "Battle-Scarred"] as const

export const priceClasses: ReadonlyArray<EndpointClass> = [
  {
    name: "odds",
    weight: 2,
    endpoints: [
      {
        path: "/cs2/odds",
        address: (draw) =>
          `/cs2/odds${query({
            state: draw.maybe(0.4, () => draw.random.pick(["open", "suspended", "closed"])),
            kind: draw.maybe(0.2, () => draw.random.pick(["series_winner", "map_winner"])),
            team: draw.maybe(0.2, () => draw.of("team")),
          })}`,
      },
      { path: "/cs2/odds/:matchId", address: (draw) => `/cs2/odds/${draw.of("match")}` },
      { path: "/cs2/odds/markets/:marketId/history", address: (draw) => `/cs2/odds/markets/${draw.of("market")}/history` },
    ],
  },
  {
    name: "skins",
    weight: 3,
    endpoints: [
      {
        path: "/cs2/skins",
        address: (draw) =>
          `/cs2/skins${query(draw.page("skins"), {
            q: draw.maybe(0.4, () => draw.typo(draw.of("skinName").split(" (")[0] ?? "").slice(0, 40)),
            weapon: draw.maybe(0.2, () => draw.of("weapon")),
            wear: draw.maybe(0.1, () => draw.random.pick(wears)),
            statTrak: draw.maybe(0.1, () => "true"),
          })}`,
      },
      { path: "/cs2/skins/:skinIdOrSlug", address: (draw) => `/cs2/skins/${draw.of("skin")}` },
    ],
  },
  {
    name: "skin prices",
    weight: 2,
    endpoints: [
      {
        path: "/cs2/skins/:skinIdOrSlug/prices",
        address: (draw) => `/cs2/skins/${draw.of("skin")}/prices${query({ limit: draw.maybe(0.3, () => 1_000) })}`,
      },
    ],
  },
]
