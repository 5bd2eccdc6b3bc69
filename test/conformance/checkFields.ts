/**
 * Compares a response with a table of `specFields.ts` and returns the differences as text. It knows no endpoint and no
 * schema.
 */
import type { EndpointSpec, FieldTable } from "./specFields.ts"

type Json = Readonly<Record<string, unknown>>

interface Rule {
  readonly type: string
  readonly allows: (value: unknown) => boolean
  /** May be null if the response names it as unavailable. */
  readonly nullable: boolean
  /** Null means "none" and need not be named. A condition on the containing object may limit that. */
  readonly none: undefined | "always" | { readonly key: string; readonly values: ReadonlyArray<string> }
}

interface Rules {
  readonly at: ReadonlyMap<string, Rule>
  /** Keys that an object at a path must have. */
  readonly keysIn: ReadonlyMap<string, ReadonlySet<string>>
}

/** Returns everything wrong with `{ success, data, meta }`. */
export const violations = (spec: EndpointSpec, answer: unknown): ReadonlyArray<string> => {
  if (!isObject(answer) || answer["success"] !== true) return ["success is not true"]
  const { data, meta } = answer
  const rows = spec.shape === "object" ? [data] : data
  if (!Array.isArray(rows)) return ["data is not a list"]
  const found = rows.flatMap((row) =>
    isObject(row) ? against(rulesOf(spec.data), row, namesIn(row, spec.named)) : ["data is not an object"],
  )
  found.push(...(isObject(meta) ? against(rulesOf(spec.meta), meta, undefined).map((text) => `meta: ${text}`) : ["meta is not an object"]))
  return [...new Set(found)]
}

/**
 * Returns the names of fields that are null because no source reported them. Undefined: this response has no such list.
 */
export const namesIn = (row: Json, named: string | undefined): ReadonlySet<string> | undefined => {
  if (named === undefined) return undefined
  const names = named.split(".").reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), row)
  return new Set(Array.isArray(names) ? names.map(String) : Object.keys(isObject(names) ? names : {}))
}

const against = ({ at, keysIn }: Rules, row: Json, named: ReadonlySet<string> | undefined): ReadonlyArray<string> => {
  const found: Array<string> = []
  const visitObject = (object: Json, path: string, isOpen: boolean): void => {
    const keys = keysIn.get(path)
    for (const key of keys ?? []) if (!Object.hasOwn(object, key)) found.push(`${join(path, key)} is missing`)
    for (const [key, value] of Object.entries(object)) {
      if (keys?.has(key) === true) visit(value, join(path, key), object)
      else if (!isOpen) found.push(`${join(path, key)} is not in the table`)
    }
  }
  const visit = (value: unknown, path: string, holder: Json): void => {
    const rule = at.get(path)
    if (value === null) {
      if (rule !== undefined && mayBeNone(rule, holder)) return
      if (rule?.nullable !== true) found.push(`${path} is null`)
      else if (named !== undefined && !named.has(path.replaceAll("[]", ""))) found.push(`${path} is null and not named as unavailable`)
      return
    }
    if (rule !== undefined && !rule.allows(value)) found.push(`${path} is ${JSON.stringify(value)?.slice(0, 80)}, and not ${rule.type}`)
    if (rule?.type === "anything" || rule?.type === "strings") return
    if (Array.isArray(value)) for (const item of value) visit(item, `${path}[]`, holder)
    else if (isObject(value) && rule?.type !== "dictionary" && rule?.type !== "reasons") visitObject(value, path, rule?.type === "open")
    else if (rule === undefined) found.push(`${path} is not in the table`)
  }
  visitObject(row, "", false)
  return found
}

const join = (path: string, key: string): string => (path === "" ? key : `${path}.${key}`)

const mayBeNone = ({ none }: Rule, holder: Json): boolean => {
  if (none === undefined || none === "always") return none === "always"
  return none.values.includes(String(holder[none.key]))
}

const read = new WeakMap<FieldTable, Rules>()

const rulesOf = (table: FieldTable): Rules => {
  const known = read.get(table)
  if (known !== undefined) return known
  const at = new Map<string, Rule>()
  const keysIn = new Map<string, Set<string>>()
  for (const [line, text] of Object.entries(table)) {
    const path = line.replace(/^\+/, "")
    at.set(path, ruleOf(text))
    const end = path.lastIndexOf(".")
    const holder = end < 0 ? "" : path.slice(0, end)
    const keys = keysIn.get(holder) ?? new Set()
    keysIn.set(holder, keys.add(path.slice(end + 1).replaceAll("[]", "")))
  }
  const rules = { at, keysIn }
  read.set(table, rules)
  return rules
}

const ruleOf = (text: string): Rule => {
  const [typeAndNull = "", ...clauses] = text.split(" or ")
  const type = typeAndNull.replace(/\|null$/, "")
  const none = clauses.find((clause) => clause.startsWith("none"))
  const where = /^none where (\w+)=(.+)$/.exec(none ?? "")
  return {
    type,
    allows: types[type] ?? oneOf(type),
    nullable: typeAndNull !== type || clauses.includes("unavailable"),
    none: none === undefined ? undefined : where === null ? "always" : { key: where[1] ?? "", values: (where[2] ?? "").split(",") },
  }
}

const oneOf = (type: string) => {
  const values = type.split(" / ")
  return (value: unknown): boolean => (typeof value === "string" || typeof value === "number") && values.includes(String(value))
}

const matching = (pattern: RegExp) => (value: unknown) => typeof value === "string" && pattern.test(value)

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)

const types: Readonly<Record<string, (value: unknown) => boolean>> = {
  anything: () => true,
  array: Array.isArray,
  boolean: (value) => typeof value === "boolean",
  count: (value) => Number.isInteger(value) && Number(value) >= 0,
  dictionary: isObject,
  fraction: (value) => typeof value === "number" && value >= 0 && value <= 1,
  integer: Number.isInteger,
  map: matching(/^[a-z0-9_]+$/),
  number: Number.isFinite,
  object: isObject,
  open: isObject,
  path: matching(/^\/\S*$/),
  reasons: (value) => isObject(value) && Object.values(value).every((one) => isObject(one) && typeof one["reason"] === "string"),
  string: (value) => typeof value === "string",
  text: (value) => typeof value === "string" && value.length > 0,
  timestamp: matching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/),
  uuid: matching(/^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
  day: matching(/^\d{4}-\d{2}-\d{2}$/),
  strings: (value) => Array.isArray(value) && value.every((one) => typeof one === "string"),
  "id:event": matching(/^cs2-event-[1-9]\d*$/),
  "id:map": matching(/^cs2-match-[1-9]\d*-map-[1-9]\d*$/),
  "id:match": matching(/^cs2-match-[1-9]\d*$/),
  "id:player": matching(/^cs2-player-[1-9]\d*$/),
  "id:team": matching(/^cs2-team-[1-9]\d*$/),
}
