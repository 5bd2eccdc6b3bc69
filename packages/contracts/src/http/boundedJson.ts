/**
 * Parses JSON from untrusted sources. `JSON.parse` accepts any depth, but code that walks the result recurses once per
 * level and would overflow the stack.
 */
import type { Schema } from "effect"

/** No document of the contracts has more than 12 levels. */
export const MAX_JSON_DEPTH = 64

const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c

/** Costs about 1 ns per character. */
export const nestsTooDeep = (text: string, maxDepth: number = MAX_JSON_DEPTH): boolean => {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      depth += 1
      if (depth > maxDepth) return true
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth -= 1
  }
  return false
}

/**
 * Array elements and object members together. A megabyte may have 500,000, which take 60 ms to parse. No document of
 * the contracts has more than 60,000.
 */
export const MAX_JSON_VALUES = 100_000

/** Commas in strings do not count. */
const hasTooManyValues = (text: string, maxValues: number): boolean => {
  if (text.length < 2 * maxValues) return false
  let values = 1
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === COMMA) values += 1
  }
  return values > maxValues
}

/** Throws a SyntaxError like `JSON.parse`, also above `MAX_JSON_DEPTH` or `maxValues`. */
export const parseBoundedJson = (text: string, maxValues: number = MAX_JSON_VALUES): Schema.Json => {
  if (hasTooManyValues(text, maxValues)) throw new SyntaxError(`at most ${maxValues} values are permitted`)
  if (nestsTooDeep(text)) throw new SyntaxError(`arrays and objects may nest at most ${MAX_JSON_DEPTH} levels deep`)
  return JSON.parse(text)
}

/** Index of the closing quote of the string that starts at `start`, or the length of the text if there is none. */
const endOfString = (text: string, start: number): number => {
  let at = start + 1
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return at
    at += code === BACKSLASH ? 2 : 1
  }
  return text.length
}
