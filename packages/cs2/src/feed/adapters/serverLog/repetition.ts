/**
 * Reports a feed whose every line was sent before. Such a feed looks alive, but the match stands still: the server's
 * clock may be wrong, or a relay may send the same lines again and again.
 */
import type { LogReader } from "./LogReader.ts"
import type { ParsedLine } from "./unreadLines.ts"

/** Milliseconds for which every line must have been sent before. A relay that catches up needs less. */
const REPORTED_AFTER_MS = 30_000
/** Milliseconds between two reports. */
const REPORTED_EVERY_MS = 60_000

export const reportRepetition = (reader: LogReader, sent: ReadonlyArray<ParsedLine>, hasUnread: boolean) => {
  const [first] = sent
  if (first === undefined) return
  const { repeating } = reader.memory
  if (hasUnread) {
    if (repeating !== null) reader.memory = { ...reader.memory, repeating: null }
    return
  }
  const { receivedAt } = reader.derivation
  const { reportedAt, since } = repeating ?? { since: receivedAt, reportedAt: null }
  const isDue = receivedAt - since >= REPORTED_AFTER_MS && (reportedAt === null || receivedAt - reportedAt >= REPORTED_EVERY_MS)
  reader.memory = { ...reader.memory, repeating: { since, reportedAt: isDue ? receivedAt : reportedAt } }
  if (!isDue) return
  const seconds = Math.floor((receivedAt - since) / 1_000)
  const message = `every line for ${seconds} s was sent before, or is older than lines that were; check the clock of the server, and whether a relay repeats its lines`
  reader.derivation.problem({ code: "only_repeats", message, raw: first.raw, line: first.number })
}
