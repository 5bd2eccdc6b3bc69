/**
 * Selects the lines of a post that have not been read before, and converts their times to UTC. A server writes its
 * local time. Its clock may be wrong, and it may go back or ahead during a match: at the end of summer time, by a
 * correction, or because another server continues the match.
 */
import { fingerprint } from "@matchpoint/game/feed/fingerprint"
import { isKnown, withLines } from "./KnownLines.ts"
import type { LogMemory } from "./LogMemory.ts"
import type { LogLine } from "./logLine.ts"
import { offsetOf } from "./serverClock.ts"

export interface NumberedLine extends LogLine {
  readonly number: number
  readonly raw: string
  readonly mark: string
  /** Epoch milliseconds, UTC. */
  readonly utc: number
}

/** A line with the time of the clock in the log. */
export type ParsedLine = Omit<NumberedLine, "utc">

export interface Unread {
  readonly memory: LogMemory
  readonly lines: ReadonlyArray<NumberedLine>
  /** Lines that were sent before. */
  readonly repeated: number
}

export const parsedLine = (line: LogLine, raw: string, number: number): ParsedLine => ({ ...line, number, raw, mark: fingerprint(raw) })

/**
 * The unread lines in order, marked as read. If no line of a post is known, all of them are new, even if they are older
 * than the newest line: the clock of the server has gone back. In a post with known lines, older ones were sent before.
 */
export const unreadIn = (memory: LogMemory, sent: ReadonlyArray<ParsedLine>, receivedAt: number): Unread => {
  const hasKnown = sent.some(({ mark }) => isKnown(memory.known, mark))
  const fresh = hasKnown || !isNewPost(memory, sent) ? newerOf(memory, sent) : sent
  const read = new Set<string>()
  const lines = fresh.filter(({ mark }) => !read.has(mark) && read.add(mark) && !isKnown(memory.known, mark))
  const repeated = sent.length - lines.length
  if (lines.length === 0) return { memory, lines: [], repeated }
  const timed = inUtc(memory, lines, receivedAt)
  return {
    memory: { ...memory, newest: timed.newest, offset: timed.offset, known: withLines(memory.known, lines) },
    lines: timed.lines,
    repeated,
  }
}

const newerOf = ({ newest }: LogMemory, sent: ReadonlyArray<ParsedLine>) => sent.filter(({ at }) => at >= newest)

/**
 * Older lines of a post without known lines are new, unless they may have been read and forgotten. Then the post needs
 * a line that would not have been forgotten, because it gives a fact.
 */
const isNewPost = ({ known, newest }: LogMemory, sent: ReadonlyArray<ParsedLine>): boolean => {
  const oldest = sent.reduce((earliest, { at }) => Math.min(earliest, at), Number.POSITIVE_INFINITY)
  if (oldest >= newest || oldest > known.forgottenTo) return true
  const freeze = sent.findIndex(({ event }) => event._tag === "FreezeStarted")
  return sent.some(
    ({ event }, index) => event._tag === "RoundWon" || (event._tag === "Status" && event.played > 0 && freeze !== -1 && freeze < index),
  )
}

/** Lines of a server's threads may be out of order by this time, in ms. Larger steps back are those of its clock. */
const MOST_DISORDER_MS = 1_000

/** Adds the times in UTC, in parts between which the server's clock has gone back. */
const inUtc = (memory: LogMemory, lines: ReadonlyArray<ParsedLine>, receivedAt: number) => {
  const timed: Array<NumberedLine> = []
  let { newest, offset } = memory
  for (let from = 0; from < lines.length; ) {
    const first = lines[from]?.at ?? 0
    let until = from + 1
    let last = first
    for (; until < lines.length; until++) {
      const { at } = lines[until] ?? { at: 0 }
      if (at < last - MOST_DISORDER_MS) break
      last = Math.max(last, at)
    }
    const wentBack = offset !== null && first < newest - MOST_DISORDER_MS ? newest : undefined
    offset = offsetOf({ first, last, wentBack }, receivedAt, offset)
    for (const line of lines.slice(from, until)) timed.push({ ...line, utc: line.at + offset })
    newest = last
    from = until
  }
  return { lines: timed, newest, offset }
}
