/** When the connections of a client were open, from its transcript. Pure. */
import type { TranscriptEntry } from "../../check/transcript.ts"

/** Returns the opening and closing time of each connection. One that is still open ends at `now`. */
export const spansOf = (
  entries: ReadonlyArray<TranscriptEntry>,
  now: number,
): ReadonlyArray<readonly [openedAt: number, closedAt: number]> => {
  const spans: Array<readonly [number, number]> = []
  let openedAt: number | undefined
  for (const entry of entries) {
    if (entry.kind === "open") openedAt = entry.at
    else if (entry.kind === "close" && openedAt !== undefined) {
      spans.push([openedAt, entry.at])
      openedAt = undefined
    }
  }
  if (openedAt !== undefined) spans.push([openedAt, now])
  return spans
}
