/**
 * JSON merge patches (RFC 7396) between documents that contain no nulls. An object in a patch is applied recursively;
 * null deletes the key; any other value replaces the old one. Arrays are replaced as a whole.
 */

export type JsonObject = { readonly [key: string]: unknown }

/** Undefined if both are equal. Skips values that are identical by reference. */
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
 * `diff` of two objects with the same keys, in which null is an absent value: the patch deletes a field that becomes
 * null, and adds one that was null.
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
 * Key order of an object and the objects in it: a patch cannot express an order, as keys that it adds come last. `keys`
 * orders the object's own keys, `fields` the objects in particular fields, `each` the objects in all others.
 */
export interface Layout {
  /** If undefined, keys stay in insertion order. */
  readonly keys?: ReadonlyArray<string>
  readonly fields?: Readonly<Record<string, Layout>>
  readonly each?: Layout
}

/**
 * Does not modify `document`, and shares unchanged values with it. If a layout is given, every object to which the
 * patch adds a key is reordered.
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

/** Keys that are not in the list come last. */
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

/** An attacker's key `__proto__` becomes an ordinary property, so that it cannot change the prototype. */
const define = (object: Record<string, unknown>, key: string, value: unknown): void => {
  if (key === "__proto__") Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
  else object[key] = value
}
