/**
 * Creates and applies JSON merge patches (RFC 7396) between documents that contain no nulls. If a value in a patch is
 * an object, it is applied recursively; null deletes the key, and any other value replaces the old one. Arrays are
 * always replaced as a whole.
 */

export type JsonObject = { readonly [key: string]: unknown }

/**
 * Returns the patch from `before` to `after`, or undefined if they are equal. Values that are identical by reference
 * are skipped without comparing their content.
 */
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
 * Like `diff`, but for two objects that always have the same keys and contain null where a value is absent. If a field
 * becomes null, the patch deletes it. If a field was null, the patch adds it.
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
 * Prescribes the key order of an object and of the objects nested in it. It is needed because a patch cannot express an
 * order: keys that a patch adds come last. `keys` is the order of the object's own keys. `fields` contains the key
 * orders of the objects in particular fields, and `each` is the key order of the objects in all other fields.
 */
export interface Layout {
  /** The keys in order. If undefined, keys stay in insertion order. */
  readonly keys?: ReadonlyArray<string>
  readonly fields?: Readonly<Record<string, Layout>>
  readonly each?: Layout
}

/**
 * Returns the document that results from applying the patch. `document` is not modified, and unchanged values are
 * shared with the result. If a layout (key order) is given, every object to which the patch adds a key is reordered
 * according to it.
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

/** Returns the object with its keys in the given order. Keys that are not in the list come last. */
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

/**
 * Sets a key of an object. The key `__proto__`, which only an attacker would send, is defined as an ordinary property,
 * so that it cannot change the prototype.
 */
const define = (object: Record<string, unknown>, key: string, value: unknown): void => {
  if (key === "__proto__") Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
  else object[key] = value
}
