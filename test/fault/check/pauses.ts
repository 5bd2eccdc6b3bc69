/** The pauses of the updates: the longest time without a new frame, per match, as the slowest client saw it. Pure. */
import type { TranscriptEntry } from "./transcript.ts"

export interface Window {
  readonly from: number
  readonly to: number
  /** Time of the last fact of each match whose facts are used up. A pause does not last longer. */
  readonly lastFactAt?: Readonly<Record<string, number>>
}

/**
 * Adds the longest pause of each match of a transcript that overlaps the window to `longest`, in milliseconds. A pause
 * lasts from one new frame of a match to the next one; repeated frames and snapshots of known states do not end it. A
 * pause that has not ended lasts to the end of the window.
 */
export const collectPauses = (
  entries: ReadonlyArray<TranscriptEntry>,
  { from, lastFactAt, to }: Window,
  longest: Map<string, number>,
): void => {
  const newest = new Map<string, { readonly at: number; readonly seq: number }>()
  for (const entry of entries) {
    if (entry.kind !== "frame" && entry.kind !== "snapshot") continue
    const before = newest.get(entry.matchId)
    if (before !== undefined && entry.seq <= before.seq) continue
    newest.set(entry.matchId, { at: entry.at, seq: entry.seq })
    if (before === undefined || entry.at < from || before.at > to) continue
    lengthen(longest, entry.matchId, entry.at - before.at)
  }
  for (const [matchId, { at }] of newest) {
    const end = Math.min(to, lastFactAt?.[matchId] ?? to)
    if (at < end) lengthen(longest, matchId, end - at)
  }
}

const lengthen = (longest: Map<string, number>, matchId: string, pauseMs: number): void => {
  longest.set(matchId, Math.max(longest.get(matchId) ?? 0, pauseMs))
}
