/**
 * Finds the maps and rounds in a scorebot's log. Log entries have neither a time nor a sequence number, and each new
 * connection receives the last thousand entries again. However, the entry for the end of a round contains the score,
 * which identifies the round. The position of every other entry follows from the entries around it, no matter how often
 * the entry is sent.
 */
import type { LogEntry, ScorebotRoundEnd } from "./messages.ts"

/** The known entries from one RoundStart up to the next, oldest first. */
export interface RoundEntries {
  /** `null` if the round started before the first entry of the log. */
  readonly start: LogEntry | null
  /** Follows from the score at the end of this round or of the previous one. `null` if the log contains neither. */
  readonly round: number | null
  readonly entries: ReadonlyArray<LogEntry>
}

/** An attempt to play a map. A restarted map has several. */
export interface Attempt {
  /** `null` if the attempt started before the first entry of the log. */
  readonly map: string | null
  readonly start: LogEntry | null
  readonly rounds: ReadonlyArray<RoundEntries>
}

/** `newestFirst` is in the order of the scorebot. Attempts that a later one at the same map replaced are left out. */
export const attemptsIn = (newestFirst: ReadonlyArray<LogEntry>): ReadonlyArray<Attempt> => {
  const attempts: Array<{ map: string | null; start: LogEntry | null; entries: Array<LogEntry> }> = [
    { map: null, start: null, entries: [] },
  ]
  for (const entry of newestFirst.toReversed()) {
    if ("MatchStarted" in entry) attempts.push({ map: entry.MatchStarted.map, start: entry, entries: [] })
    else attempts.at(-1)?.entries.push(entry)
  }
  return attempts
    .filter(({ entries, map }, index) => (map === null ? entries.some(concernsMatch) : attempts[index + 1]?.map !== map))
    .map(({ entries, map, start }) => ({ map, start, rounds: roundsIn(entries, map !== null) }))
}

export const endOf = (roundEntries: RoundEntries): ScorebotRoundEnd | undefined => {
  for (const entry of roundEntries.entries) if ("RoundEnd" in entry) return entry.RoundEnd
  return undefined
}

/** Other entries concern only the server. */
const concernsMatch = (entry: LogEntry): boolean => !("PlayerJoin" in entry || "PlayerQuit" in entry || "MapChange" in entry)

const roundsIn = (entries: ReadonlyArray<LogEntry>, fromTheStart: boolean): ReadonlyArray<RoundEntries> => {
  const pieces: Array<{ start: LogEntry | null; entries: Array<LogEntry> }> = [{ start: null, entries: [] }]
  for (const entry of entries) {
    if ("RoundStart" in entry) pieces.push({ start: entry, entries: [] })
    else if (concernsMatch(entry)) pieces.at(-1)?.entries.push(entry)
  }
  const rounds: Array<RoundEntries> = []
  let next: number | null = fromTheStart ? 1 : null
  for (const { entries: roundEntries, start } of pieces) {
    // Entries before the first round of an attempt are practice and do not count.
    if (start === null && (roundEntries.length === 0 || fromTheStart)) continue
    const end = endOf({ start, round: null, entries: roundEntries })
    const round: number | null = end === undefined ? next : end.counterTerroristScore + end.terroristScore
    rounds.push({ start, round, entries: roundEntries })
    next = end === undefined || round === null ? round : round + 1
  }
  return rounds
}
