/**
 * Cached parts of a document, in shape v1 and, after the first use, in shape v2. A part is replaced only if its content
 * changes. Unchanged parts are the same objects, so they cost nothing and need no comparison.
 */
import { diff, diffFields, type JsonObject } from "@matchpoint/contracts/stream/compact/mergePatch"

/** Conversion of one kind of part to shape v2. */
export interface Kind<Shown extends object, Compact extends JsonObject> {
  readonly key: (shown: Shown) => string
  readonly compact: (shown: Shown) => Compact
  /** True if both shapes have the same fields, apart from nulls and the key. */
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

  /** Returns the patch from an earlier part with the same key, or undefined if nothing changed. */
  since(before: Part<Shown, Compact>): JsonObject | undefined {
    if (before === this) return undefined
    return this.kind.flat ? diffFields(before.shown, this.shown) : diff(before.compact, this.compact)
  }
}

/**
 * Returns `known` if it has the same fields as `shown`, otherwise a new part. Fields that are objects count as changed
 * unless they are the same object.
 */
export const renewed = <Shown extends object, Compact extends JsonObject>(
  kind: Kind<Shown, Compact>,
  known: Part<Shown, Compact> | undefined,
  shown: Shown,
): Part<Shown, Compact> => (known !== undefined && sameFields(known.shown, shown) ? known : new Part(kind, shown))

const sameFields = <A extends object>(a: A, b: A): boolean => {
  for (const key in b) if (a[key] !== b[key]) return false
  return true
}

/** All parts of one kind: an array in shape v1, an object by key in shape v2. */
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
   * Returns the patch from earlier parts, or undefined if nothing changed. Parts that are only appended or changed in
   * place are compared one by one. Any other change falls back to a full comparison.
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

/** Returns `known` if it consists of the same parts, otherwise new parts. */
export const joined = <Shown extends object, Compact extends JsonObject>(
  known: Parts<Shown, Compact> | undefined,
  each: ReadonlyArray<Part<Shown, Compact>>,
): Parts<Shown, Compact> =>
  known !== undefined && known.each.length === each.length && each.every((part, index) => part === known.each[index])
    ? known
    : new Parts(each)
