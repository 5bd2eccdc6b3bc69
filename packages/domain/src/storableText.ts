/**
 * Checks that external text can be stored in every database. PostgreSQL accepts no NUL character in `text` and `jsonb`,
 * and no lone surrogate in `jsonb`. Such text is rejected on receipt, because every later attempt to store it would
 * fail.
 */
import { Schema } from "effect"

export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes("\0")

const REASON = "has a NUL character or a lone surrogate, which cannot be stored; remove it"

export const StorableText = Schema.String.check(Schema.makeFilter((text) => (isStorable(text) ? undefined : REASON)))

/** If the text is the key of an object, `path` ends with that key. */
export interface UnstorableText {
  readonly path: ReadonlyArray<string | number>
  readonly issue: string
}

/**
 * Finds the first text in a JSON-like value that a database cannot store, including object keys. Undefined if there is
 * none. Reads arrays and plain objects at any depth without recursion.
 */
export const unstorableTextIn = (value: unknown): UnstorableText | undefined => {
  const waiting: Array<TextPosition> = [{ value, parent: undefined, key: "" }]
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const { value: found } = place
    if (typeof found === "string") {
      if (!isStorable(found)) return { path: pathOf(place), issue: REASON }
    } else if (Array.isArray(found)) {
      for (let index = found.length - 1; index >= 0; index--) waiting.push({ value: found[index], parent: place, key: index })
    } else if (isPlain(found)) {
      for (const [key, inner] of Object.entries(found).reverse()) {
        if (!isStorable(key)) return { path: [...pathOf(place), key], issue: `the name of a field ${REASON}` }
        waiting.push({ value: inner, parent: place, key })
      }
    }
  }
  return undefined
}

interface TextPosition {
  readonly value: unknown
  readonly parent: TextPosition | undefined
  readonly key: string | number
}

const pathOf = (place: TextPosition): ReadonlyArray<string | number> => {
  const path: Array<string | number> = []
  for (let at = place; at.parent !== undefined; at = at.parent) path.push(at.key)
  return path.reverse()
}

const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> => {
  if (typeof value !== "object" || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** Check for JSON whose format is defined elsewhere. */
export const allTextStorable: ReturnType<typeof Schema.makeFilter<unknown>> = Schema.makeFilter((value) => unstorableTextIn(value))
