/**
 * Decides which log lines are repeats. The first of a kind is printed; those that follow within the window are counted, and reported by
 * one line per window for as long as they go on. Lines are of one kind if they have the same level and the same words: numbers in them
 * (matches, waits, addresses) do not count. Pure, and bounded in the number of kinds.
 */

export interface Repeats<Line> {
  /** The newest line of the kind. */
  readonly line: Line
  /** Lines that were not printed, 1 or more. */
  readonly count: number
}

/** More kinds than this at once are not limited: a line too many is better than one too few. */
const MAX_KINDS = 500
const LONGEST_KIND = 200

interface Kind<Line> {
  line: Line
  count: number
}

export class RepeatLimit<Line> {
  readonly #kinds = new Map<string, Kind<Line>>()

  /** Whether to print the line. */
  admit(level: string, words: string, line: Line): boolean {
    const name = `${level} ${words.slice(0, LONGEST_KIND).replace(/[0-9]+/g, "#")}`
    const kind = this.#kinds.get(name)
    if (kind === undefined) {
      if (this.#kinds.size < MAX_KINDS) this.#kinds.set(name, { line, count: 0 })
      return true
    }
    kind.line = line
    kind.count += 1
    return false
  }

  /** Ends a window: what was counted in it. A kind without repeats is forgotten, so that its next line is printed again. */
  endWindow(): ReadonlyArray<Repeats<Line>> {
    const repeats: Array<Repeats<Line>> = []
    for (const [name, kind] of this.#kinds) {
      if (kind.count === 0) this.#kinds.delete(name)
      else repeats.push({ line: kind.line, count: kind.count })
      kind.count = 0
    }
    return repeats
  }
}
