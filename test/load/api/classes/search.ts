import type { Draw } from "../Draw.ts"
import { query } from "../Draw.ts"
import type { EndpointClass } from "./EndpointClass.ts"

const asking =
  (path: string, words: (draw: Draw) => string) =>
  (draw: Draw): string =>
    path + query({ q: words(draw), limit: draw.maybe(0.1, () => 50) })

/** Draws the start of a name, as in a search box while the user types. */
const startOfName = (draw: Draw): string => {
  const name = draw.of("name")
  return name.slice(0, draw.random.int(1, name.length)).trim() || name
}

const search = "/cs2/search"

export const searchClasses: ReadonlyArray<EndpointClass> = [
  { name: "search, names", weight: 2, endpoints: [{ path: search, address: asking(search, (draw) => draw.of("name")) }] },
  {
    name: "search, typing errors",
    weight: 1,
    again: true,
    endpoints: [{ path: search, address: asking(search, (draw) => draw.typo(draw.of("name"))) }],
  },
  {
    name: "search, team vs team",
    weight: 0.5,
    again: true,
    endpoints: [{ path: search, address: asking(search, (draw) => draw.of("versus")) }],
  },
  { name: "autocomplete", weight: 3, endpoints: [{ path: "/cs2/autocomplete", address: asking("/cs2/autocomplete", startOfName) }] },
]
