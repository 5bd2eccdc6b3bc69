/**
 * The structure of a scorebot's log. Its entries carry no time and no number, and whoever connects is sent the last thousand of them
 * again. But every round's end says the score, and with it which round it was: so an entry's place follows from the
 * entries around it, however often it is sent.
 */
import type { LogEntry, ScorebotRoundEnd } from "./messages.ts"

/** A round, or what is known of it: the entries from one RoundStart to the next, oldest first. */
export interface Passage {
  /** The RoundStart it begins with; null for the rest of a round that began earlier. */
  readonly start: LogEntry | null
  /** The round by its own end or by the end before it; null where the log does not say. */
  readonly round: number | null
  readonly entries: ReadonlyArray<LogEntry>
}

/** One attempt to play a map. */
export interface Attempt {
  /** Null: it was going on when the log began. */
  readonly map: string | null
  readonly start: LogEntry | null
  readonly passages: ReadonlyArray<Passage>
}

/** The attempts in a log, `newestFirst` as it is sent. Those that another attempt at the same map replaced are left out. */
export const attemptsIn = (newestFirst: ReadonlyArray<LogEntry>): ReadonlyArray<Attempt> => {
  const attempts: Array<{ map: string | null; start: LogEntry | null; entries: Array<LogEntry> }> = [
    { map: null, start: null, entries: [] },
  ]
  for (const entry of newestFirst.toReversed()) {
    if ("MatchStarted" in entry) attempts.push({ map: entry.MatchStarted.map, start: entry, entries: [] })
    else attempts.at(-1)?.entries.push(entry)
  }
  return attempts
    .filter(({ entries, map }, index) => (map === null ? entries.some(tells) : attempts[index + 1]?.map !== map))
    .map(({ entries, map, start }) => ({ map, start, passages: passagesIn(entries, map !== null) }))
}

export const endOf = (passage: Passage): ScorebotRoundEnd | undefined => {
  for (const entry of passage.entries) if ("RoundEnd" in entry) return entry.RoundEnd
  return undefined
}

/** Something of the match, not of the server. */
const tells = (entry: LogEntry): boolean => !("PlayerJoin" in entry || "PlayerQuit" in entry || "MapChange" in entry)

const passagesIn = (entries: ReadonlyArray<LogEntry>, fromTheStart: boolean): ReadonlyArray<Passage> => {
  const pieces: Array<{ start: LogEntry | null; entries: Array<LogEntry> }> = [{ start: null, entries: [] }]
  for (const entry of entries) {
    if ("RoundStart" in entry) pieces.push({ start: entry, entries: [] })
    else if (tells(entry)) pieces.at(-1)?.entries.push(entry)
  }
  const passages: Array<Passage> = []
  let next: number | null = fromTheStart ? 1 : null
  for (const { entries: told, start } of pieces) {
    // Before the first round of an attempt shots are only for practice.
    if (start === null && (told.length === 0 || fromTheStart)) continue
    const end = endOf({ start, round: null, entries: told })
    const round: number | null = end === undefined ? next : end.counterTerroristScore + end.terroristScore
    passages.push({ start, round, entries: told })
    next = end === undefined || round === null ? round : round + 1
  }
  return passages
}
