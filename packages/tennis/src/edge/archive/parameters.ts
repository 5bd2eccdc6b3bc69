import { UnknownValue } from "@matchpoint/contracts/http/errors"
import { Effect } from "effect"
import { type Surface, surfaces, type TourName } from "../../contract/http/data/references.ts"

/** Accepts any case. Undefined if no surface is given. Fails if the name is unknown. */
export const readSurface = (name: string | undefined): Effect.Effect<Surface | undefined, UnknownValue> => {
  if (name === undefined) return Effect.succeed(undefined)
  const surface = surfaces.find((one) => one.toLowerCase() === name.toLowerCase())
  return surface === undefined ? Effect.fail(UnknownValue.of("surface", name, surfaces)) : Effect.succeed(surface)
}

/** Tour as in the tables. The default is the ATP. */
export const tableTour = (tour: TourName | undefined): "atp" | "wta" => (tour === "WTA" ? "wta" : "atp")

/** Tour as in responses. */
export const tourName = (tour: "atp" | "wta"): TourName => (tour === "wta" ? "WTA" : "ATP")

/** `YYYY-MM-DD` in UTC. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10)

/** Last millisecond of a day `YYYY-MM-DD`, or of the year of a number. */
export const endOf = (dayOrYear: string | number): Date =>
  new Date(`${typeof dayOrYear === "number" ? `${String(dayOrYear).padStart(4, "0")}-12-31` : dayOrYear}T23:59:59.999Z`)
