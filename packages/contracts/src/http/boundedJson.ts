/**
 * Parses JSON from untrusted sources with a limit on its nesting depth. `JSON.parse` accepts any depth, but code that
 * walks the result recurses once per level and would overflow the stack.
 */
import type { Schema } from "effect"

/** Maximum depth of arrays and objects. No document of the contracts has more than 12 levels. */
export const MAX_JSON_DEPTH = 64

const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Returns true if arrays and objects in the text nest deeper than `maxDepth`. Costs about 1 ns per character. */
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

/** Parses like `JSON.parse`. Also throws a SyntaxError if the text nests deeper than `MAX_JSON_DEPTH`. */
export const parseBoundedJson = (text: string): Schema.Json => {
  if (nestsTooDeep(text)) throw new SyntaxError(`arrays and objects may nest at most ${MAX_JSON_DEPTH} levels deep`)
  return JSON.parse(text)
}

/**
 * Returns the index of the closing quote of the string that starts at `start`, or the length of the text if the string
 * is not closed.
 */
const endOfString = (text: string, start: number): number => {
  let at = start + 1
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return at
    at += code === BACKSLASH ? 2 : 1
  }
  return text.length
}
