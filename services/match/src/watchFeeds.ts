/** Which feed a match should be read from. Pure; the actor appends what it says to FEED. */
import type { FeedEvent } from "@matchpoint/domain/cs2/feedEvents"
import type { MatchState } from "@matchpoint/domain/cs2/state"

/** When each feed last told something, by our clock; undefined: never. */
export interface FeedTimes {
  readonly mainAt: number | undefined
  readonly backupAt: number | undefined
}

export const heardAt = (times: FeedTimes, { receivedAt, source }: FeedEvent): FeedTimes =>
  source === "backup" ? { ...times, backupAt: receivedAt } : { ...times, mainAt: receivedAt }

/**
 * The source to change to, or undefined to stay. The backup takes over when the main feed has been quiet for `quietMs` and the
 * backup has not; the main feed takes over again as soon as it speaks.
 */
export const sourceToChange = (state: MatchState, times: FeedTimes, now: number, quietMs: number): "live" | "live_backup" | undefined => {
  if (state.status !== "live") return undefined
  const isQuiet = (at: number | undefined) => at === undefined || now - at >= quietMs
  if (state.source === "live") return isQuiet(times.mainAt) && !isQuiet(times.backupAt) ? "live_backup" : undefined
  return isQuiet(times.mainAt) ? undefined : "live"
}
