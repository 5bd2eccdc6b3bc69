/**
 * Shortens the schemas of an OpenAPI document without a change of meaning. An object or list that occurs more than once
 * becomes a component, named after its first place.
 */
import type { JsonSchema } from "effect"
import { type Schemas, schemaRef } from "./Document.ts"
import { freeName, pascal } from "./sharedParts.ts"

/**
 * Writes `null` as a second type of scalars, and leaves out bounds that only state that JSON numbers are exact up to
 * 2^53, which the document's description states once.
 */
export const shortened = <A>(part: A): A =>
  JSON.parse(JSON.stringify(part), (_, value: unknown) => (isPart(value) ? shorter(value) : value))

export const sharedSchemas = (schemas: Schemas): Schemas => {
  const occurrences = occurrencesIn(schemas)
  const shared: Record<string, JsonSchema.JsonSchema> = {}
  const names = new Map<string, string>()

  const share = (part: unknown, owner: string, place: ReadonlyArray<string>): unknown => {
    if (!isPart(part)) return Array.isArray(part) ? part.map((inner) => share(inner, owner, place)) : part
    const text = isShareable(part) ? JSON.stringify(part) : ""
    if ((occurrences.get(text) ?? 0) < 2) return inside(part, owner, place)
    const known = names.get(text)
    if (known !== undefined) return schemaRef(known)
    const name = freeName(
      [owner + pascal(place.at(-1) ?? "Part"), ...place.slice(0, -1).toReversed()],
      (taken) => taken in schemas || taken in shared,
    )
    names.set(text, name)
    shared[name] = {}
    shared[name] = inside(part, name, [])
    return schemaRef(name)
  }
  const inside = (part: Part, owner: string, place: ReadonlyArray<string>): Record<string, unknown> =>
    mapValues(part, (inner, key) =>
      key === "properties" && isPart(inner)
        ? mapValues(inner, (property, name) => share(property, owner, [...place, name]))
        : share(inner, owner, place),
    )
  return { ...mapValues(schemas, (schema, name) => inside(schema, name, [])), ...shared }
}

/** A schema, or the map of its properties. */
type Part = Readonly<Record<string, unknown>>
const isPart = (value: unknown): value is Part => typeof value === "object" && value !== null && !Array.isArray(value)

export const mapValues = <A, B>(record: Readonly<Record<string, A>>, f: (value: A, key: string) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, f(value, key)]))

/** Counts objects and lists by their text. The parts of a repeated one count once, because its component has them once. */
const occurrencesIn = (schemas: Schemas): ReadonlyMap<string, number> => {
  const occurrences = new Map<string, number>()
  const count = (part: unknown): void => {
    if (typeof part !== "object" || part === null) return
    if (isPart(part) && isShareable(part)) {
      const text = JSON.stringify(part)
      const known = occurrences.get(text) ?? 0
      occurrences.set(text, known + 1)
      if (known > 0) return
    }
    for (const inner of Object.values(part)) count(inner)
  }
  for (const schema of Object.values(schemas)) for (const inner of Object.values(schema)) count(inner)
  return occurrences
}

/** A reference takes about 60 characters. */
const isShareable = (part: Part): boolean => (part["type"] === "object" || part["type"] === "array") && JSON.stringify(part).length > 100

const scalars = new Set<unknown>(["string", "integer", "number", "boolean"])

const shorter = (part: Part): Part => {
  const { maximum, minimum, ...rest } = part
  if (part["type"] === "integer" && (maximum === Number.MAX_SAFE_INTEGER || minimum === Number.MIN_SAFE_INTEGER)) {
    return {
      ...rest,
      ...(minimum === undefined || minimum === Number.MIN_SAFE_INTEGER ? {} : { minimum }),
      ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? {} : { maximum }),
    }
  }
  const { anyOf, ...others } = part
  const [value, none, ...more] = Array.isArray(anyOf) ? anyOf : []
  if (!isPart(value) || !isPart(none) || none["type"] !== "null" || more.length > 0) return part
  const isScalar = scalars.has(value["type"]) && !("enum" in value)
  return isScalar && Object.keys(others).every((key) => !(key in value)) ? { ...value, type: [value["type"], "null"], ...others } : part
}
