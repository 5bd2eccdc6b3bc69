/**
 * Decides which log lines are repeats. The first line of a kind is printed. Further lines within the window are counted
 * and reported by one line per window, for as long as they continue. Lines are of the same kind if they have the same
 * level and the same text, apart from numbers (matches, waits, addresses). Pure, with a bounded number of kinds.
 */

export interface Repeats<Line> {
  /** Newest line of this kind. */
  readonly line: Line
  /** Number of lines that were not printed, 1 or more. */
  readonly count: number
}

/**
 * Largest number of kinds tracked at the same time. Further kinds are always printed: an extra line is better than a
 * missing one.
 */
const MAX_KINDS = 500
const LONGEST_KIND = 200

interface Kind<Line> {
  line: Line
  count: number
}

export class RepeatLimit<Line> {
  readonly #kinds = new Map<string, Kind<Line>>()

  /** Returns true if the line must be printed. Otherwise counts it as a repeat. */
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

  /**
   * Ends the window and returns the repeats counted in it. A kind without repeats is forgotten, so that its next line
   * is printed again.
   */
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
