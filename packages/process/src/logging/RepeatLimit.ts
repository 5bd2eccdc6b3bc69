/**
 * Decides which log lines are repeats. Two lines are of the same kind if they have the same level and the same text,
 * ignoring numbers (such as match ids, durations and addresses). The first line of a kind is printed. Further lines of
 * that kind are only counted, and reported in one summary line per time window for as long as they continue. The number
 * of tracked kinds is limited. The code has no side effects outside its own counters.
 */

export interface Repeats<Line> {
  /** The newest suppressed line of this kind. */
  readonly line: Line
  /** How many lines of this kind were suppressed in the time window, at least 1. */
  readonly count: number
}

/**
 * Maximum number of kinds of log lines that are tracked at the same time. Lines of further kinds are always printed,
 * because an extra line is better than a missing one.
 */
const MAX_KINDS = 500
const LONGEST_KIND = 200

interface Kind<Line> {
  line: Line
  count: number
}

export class RepeatLimit<Line> {
  readonly #kinds = new Map<string, Kind<Line>>()

  /** Returns true if the line must be printed. Otherwise counts the line as a repeat and returns false. */
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
   * Ends the time window and returns the repeats that were counted in it. A kind without repeats is no longer tracked,
   * so that its next line is printed again.
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
