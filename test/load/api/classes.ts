// Owns the list of measured classes. Every endpoint of the archive is in exactly one class, which a test enforces. It
// may also be in further classes that request it in another way.
import { apexClasses } from "./classes/apex.ts"
import { codClasses } from "./classes/cod.ts"
import type { EndpointClass } from "./classes/EndpointClass.ts"
import { entityClasses } from "./classes/entities.ts"
import { matchClasses } from "./classes/matches.ts"
import { priceClasses } from "./classes/prices.ts"
import { referenceClasses } from "./classes/reference.ts"
import { searchClasses } from "./classes/search.ts"
import { statisticsClasses } from "./classes/statistics.ts"

const asked = [
  ...matchClasses,
  ...entityClasses,
  ...statisticsClasses,
  ...searchClasses,
  ...referenceClasses,
  ...priceClasses,
  ...codClasses,
  ...apexClasses,
]

/** Classes whose responses clients cache and revalidate. */
const keptByClients = new Set(["one match", "match lists", "one event", "team profile", "statistics, usual window"])

const unchanged: EndpointClass = {
  name: "unchanged (304)",
  weight: 0,
  endpoints: asked.filter(({ name }) => keptByClients.has(name)).flatMap(({ endpoints }) => endpoints),
  again: true,
  conditional: true,
}

export const classes: ReadonlyArray<EndpointClass> = [...asked, unchanged]
