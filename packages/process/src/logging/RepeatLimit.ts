/**
 * Decides which log lines are repeats: lines of the same level and text, ignoring numbers (such as match ids, durations
 * and addresses). The first line of a kind is printed. Further ones are counted and reported in one summary per time
 * window for as long as they continue.
 */

export interface Repeats<Line> {
  /** The newest suppressed line. */
  readonly line: Line
  /** Number of suppressed lines in the time window, at least 1. */
  readonly count: number
}

/** Tracked at the same time. Lines of further kinds are always printed, because an extra line is better than a missing one. */
const MAX_KINDS = 500
const LONGEST_KIND = 200

interface Kind<Line> {
  line: Line
  count: number
}

export class RepeatLimit<Line> {
  readonly #kinds = new Map<string, Kind<Line>>()

  /** True if the line must be printed. Otherwise it is counted. */
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

  /** Returns the window's repeats. A kind without repeats is no longer tracked, so that its next line is printed again. */
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
