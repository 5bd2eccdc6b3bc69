/**
 * The parts of a document that an encoder keeps: as shape v1 shows them, and in shape v2 once asked for. A part is made again only
 * when it shows something else. Unchanged parts are the same objects, so they cost nothing and need no comparing.
 */
import { diff, diffFields, type JsonObject } from "@matchpoint/contracts/stream/compact/mergePatch"

/** How a kind of part looks in shape v2. */
export interface Kind<Shown extends object, Compact extends JsonObject> {
  readonly key: (shown: Shown) => string
  readonly compact: (shown: Shown) => Compact
  /** Its fields are the same in both shapes, but for nulls and the key. */
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

  /** The patch from an earlier part of the same key. */
  since(before: Part<Shown, Compact>): JsonObject | undefined {
    if (before === this) return undefined
    return this.kind.flat ? diffFields(before.shown, this.shown) : diff(before.compact, this.compact)
  }
}

/** The part of `shown`: `known` itself if it shows the same. Fields that are objects count as changed. */
export const renewed = <Shown extends object, Compact extends JsonObject>(
  kind: Kind<Shown, Compact>,
  known: Part<Shown, Compact> | undefined,
  shown: Shown,
): Part<Shown, Compact> => (known !== undefined && sameFields(known.shown, shown) ? known : new Part(kind, shown))

const sameFields = <A extends object>(a: A, b: A): boolean => {
  for (const key in b) if (a[key] !== b[key]) return false
  return true
}

/** Many parts of a kind: an array in shape v1, an object by key in v2. */
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

  /** The patch from earlier parts. Parts come last or not at all; other changes are found the slow way. */
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

/** `known` itself if it is made of the same parts. */
export const joined = <Shown extends object, Compact extends JsonObject>(
  known: Parts<Shown, Compact> | undefined,
  each: ReadonlyArray<Part<Shown, Compact>>,
): Parts<Shown, Compact> =>
  known !== undefined && known.each.length === each.length && each.every((part, index) => part === known.each[index])
    ? known
    : new Parts(each)
