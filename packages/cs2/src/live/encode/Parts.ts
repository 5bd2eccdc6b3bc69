/**
 * Caches the parts of a match document, such as one player or round, in message format v1 and, after first use, v2. A
 * part object is replaced only if its content changes: an unchanged part is identical by reference to the earlier one
 * and needs neither conversion nor comparison.
 */
import { diff, diffFields, type JsonObject } from "@matchpoint/contracts/stream/compact/mergePatch"

/** How parts of one kind, such as players, are identified and converted to format v2. */
export interface Kind<Shown extends object, Compact extends JsonObject> {
  readonly key: (shown: Shown) => string
  readonly compact: (shown: Shown) => Compact
  /** The part has the same fields in formats v1 and v2, apart from null values and the key. */
  readonly flat: boolean
}

export class Part<Shown extends object, Compact extends JsonObject> {
  readonly kind: Kind<Shown, Compact>
  readonly shown: Shown
  #compact: Compact | undefined

  constructor(kind: Kind<Shown, Compact>, shown: Shown) {
    this.kind = kind
    this.shown = shown
  }

  get compact(): Compact {
    this.#compact ??= this.kind.compact(this.shown)
    return this.#compact
  }

  /** Patch from an earlier version of this part, with the same key. Undefined if nothing has changed. */
  since(before: Part<Shown, Compact>): JsonObject | undefined {
    if (before === this) return undefined
    return this.kind.flat ? diffFields(before.shown, this.shown) : diff(before.compact, this.compact)
  }
}

/** Returns `known` if all its fields equal those of `shown`. Objects in fields are compared by reference. */
export const renewed = <Shown extends object, Compact extends JsonObject>(
  kind: Kind<Shown, Compact>,
  known: Part<Shown, Compact> | undefined,
  shown: Shown,
): Part<Shown, Compact> => (known !== undefined && sameFields(known.shown, shown) ? known : new Part(kind, shown))

const sameFields = <A extends object>(a: A, b: A): boolean => {
  for (const key in b) if (a[key] !== b[key]) return false
  return true
}

/** All parts of one kind: an array in message format v1, an object indexed by key in format v2. */
export class Parts<Shown extends object, Compact extends JsonObject> {
  readonly each: ReadonlyArray<Part<Shown, Compact>>
  #compact: Readonly<Record<string, Compact>> | undefined

  constructor(each: ReadonlyArray<Part<Shown, Compact>>) {
    this.each = each
  }

  get compact(): Readonly<Record<string, Compact>> {
    if (this.#compact === undefined) {
      const compact: Record<string, Compact> = {}
      for (const part of this.each) compact[part.kind.key(part.shown)] = part.compact
      this.#compact = compact
    }
    return this.#compact
  }

  /**
   * Patch from the earlier parts `before`. Undefined if nothing has changed. Parts that were only appended or changed
   * in place are compared one by one, otherwise whole collections.
   */
  since(before: Parts<Shown, Compact>): JsonObject | undefined {
    if (before === this) return undefined
    if (before.each.length > this.each.length) return diff(before.compact, this.compact)
    let patch: Record<string, unknown> | undefined
    for (const [index, part] of this.each.entries()) {
      const from = before.each[index]
      if (from === part) continue
      const key = part.kind.key(part.shown)
      if (from !== undefined && from.kind.key(from.shown) !== key) return diff(before.compact, this.compact)
      const change = from === undefined ? part.compact : part.since(from)
      if (change === undefined) continue
      patch ??= {}
      patch[key] = change
    }
    return patch
  }
}

/** Returns `known` if it consists of identical part objects. */
export const joined = <Shown extends object, Compact extends JsonObject>(
  known: Parts<Shown, Compact> | undefined,
  each: ReadonlyArray<Part<Shown, Compact>>,
): Parts<Shown, Compact> =>
  known !== undefined && known.each.length === each.length && each.every((part, index) => part === known.each[index])
    ? known
    : new Parts(each)
