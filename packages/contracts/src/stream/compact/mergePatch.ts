/**
 * JSON merge patches (RFC 7396) between documents that hold no null: an object in the patch goes down, null deletes, everything
 * else replaces. Arrays are replaced whole.
 */

export type JsonObject = { readonly [key: string]: unknown }

/** What turns `before` into `after`; undefined when nothing has to. Parts that are the same object are not looked into. */
export const diff = (before: JsonObject, after: JsonObject): JsonObject | undefined => {
  if (before === after) return undefined
  let patch: Record<string, unknown> | undefined
  for (const key in after) {
    const from = before[key]
    const to = after[key]
    if (from === to) continue
    const change = isObject(from) && isObject(to) ? diff(from, to) : same(from, to) ? undefined : to
    if (change === undefined) continue
    patch ??= {}
    patch[key] = change
  }
  for (const key in before) {
    if (key in after) continue
    patch ??= {}
    patch[key] = null
  }
  return patch
}

/**
 * `diff` of two objects as they would be without their nulls, for objects that always have the same keys: what is null in one and
 * not in the other was added or is gone.
 */
export const diffFields = <A extends object>(before: A, after: A): JsonObject | undefined => {
  if (before === after) return undefined
  let patch: Record<string, unknown> | undefined
  let gone: Array<string> | undefined
  for (const key in after) {
    const from = before[key]
    const to = after[key]
    if (from === to) continue
    if (to === null) {
      gone ??= []
      gone.push(key)
      continue
    }
    const change = isObject(from) && isObject(to) ? diff(from, to) : same(from, to) ? undefined : to
    if (change === undefined) continue
    patch ??= {}
    patch[key] = change
  }
  if (gone === undefined) return patch
  patch ??= {}
  for (const key of gone) patch[key] = null
  return patch
}

/**
 * The order of an object's keys. A patch cannot say it: keys that it adds come last. `fields` and `each` hold the order within fields
 * and within every other field.
 */
export interface Layout {
  /** Undefined: keys stay in the order in which they came. */
  readonly keys?: ReadonlyArray<string>
  readonly fields?: Readonly<Record<string, Layout>>
  readonly each?: Layout
}

/**
 * The document after the patch. Never changes `document`; what the patch does not touch is shared with it. With a layout, the keys of
 * whatever the patch adds to are put in order.
 */
export const applyPatch = <A extends JsonObject>(document: A, patch: JsonObject, layout?: Layout): A => {
  const patched: Record<string, unknown> = { ...document }
  let keysChange = false
  for (const [key, change] of Object.entries(patch)) {
    if (change === null) {
      delete patched[key]
      keysChange = true
      continue
    }
    keysChange ||= !Object.hasOwn(patched, key)
    if (isObject(change)) {
      const part = patched[key]
      define(patched, key, applyPatch(isObject(part) ? part : {}, change, layout?.fields?.[key] ?? layout?.each))
    } else define(patched, key, change)
  }
  return (keysChange && layout?.keys !== undefined ? inOrder(patched, layout.keys) : patched) as A
}

/** Keys that the order does not name come last. */
const inOrder = (object: JsonObject, keys: ReadonlyArray<string>): JsonObject => {
  const ordered: Record<string, unknown> = {}
  for (const key of keys) if (Object.hasOwn(object, key)) ordered[key] = object[key]
  for (const key in object) if (!Object.hasOwn(ordered, key)) define(ordered, key, object[key])
  return ordered
}

const isObject = (value: unknown): value is JsonObject => typeof value === "object" && value !== null && !Array.isArray(value)

const same = (a: unknown, b: unknown): boolean =>
  a === b || (Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, index) => deepSame(item, b[index])))

const deepSame = (a: unknown, b: unknown): boolean => (isObject(a) && isObject(b) ? diff(a, b) === undefined : same(a, b))

/** A key such as `__proto__`, which only a stranger would send, becomes a property and nothing more. */
const define = (object: Record<string, unknown>, key: string, value: unknown): void => {
  if (key === "__proto__") Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
  else object[key] = value
}
