import { query } from "../Draw.ts"
import type { EndpointClass, MeasuredEndpoint } from "./EndpointClass.ts"

const fixed = (path: string): MeasuredEndpoint => ({ path, address: () => path })

export const referenceClasses: ReadonlyArray<EndpointClass> = [
  {
    name: "reference",
    weight: 3,
    endpoints: [
      "/cs2",
      "/cs2/status/sync",
      "/cs2/webhooks",
      "/cs2/webhooks/events",
      "/cs2/weapons",
      "/cs2/regions",
      "/cs2/leagues",
      "/cs2/maps",
      "/cs2/map-pool",
      "/cs2/maps/pool",
    ].map(fixed),
  },
  {
    name: "changelog",
    weight: 1,
    endpoints: [
      {
        path: "/cs2/changelog",
        address: (draw) =>
          `/cs2/changelog${query(draw.page("changes", 200), {
            entity_type: draw.maybe(0.2, () => draw.random.pick(["team", "player", "event", "match"])),
            entity_id: draw.maybe(0.2, () => draw.of("changed")),
            action: draw.maybe(0.1, () => draw.random.pick(["created", "updated", "merge_rejected"])),
          })}`,
      },
    ],
  },
]
