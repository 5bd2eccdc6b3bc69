/** Which feed a match should be read from. Pure; the actor appends what it says to FEED. */
import { furthest, seriesAfter, seriesOf } from "@matchpoint/domain/cs2/backupSeries"
import { decideBackupSeries } from "@matchpoint/domain/cs2/decide"
import type { BackupSeries, FeedEvent } from "@matchpoint/domain/cs2/feedEvents"
import type { MatchState } from "@matchpoint/domain/cs2/state"

/** When each feed last told something, by our clock; undefined: never. */
export interface FeedTimes {
  readonly mainAt: number | undefined
  readonly backupAt: number | undefined
}

export const heardAt = (times: FeedTimes, { receivedAt, source, type }: FeedEvent): FeedTimes => {
  // Our own words are no sign of a feed.
  if (type === "SourceChanged" || type === "HistoryLost") return times
  return source === "backup" ? { ...times, backupAt: receivedAt } : { ...times, mainAt: receivedAt }
}

/** What a state says of the feeds: its newest fact came from the one in charge. */
export const timesOf = ({ receivedAt, source }: MatchState): FeedTimes =>
  source === "live" ? { mainAt: receivedAt, backupAt: undefined } : { mainAt: undefined, backupAt: receivedAt }

/** What the backup has told while it stands by: `series` undefined, nothing yet. Facts that do not fit are left out. */
export const heardInStandby = (state: MatchState, series: BackupSeries | undefined, event: FeedEvent): BackupSeries => {
  const known = series === undefined ? seriesOf(state) : furthest(seriesOf(state), series)
  return decideBackupSeries(state, known, event) === undefined ? seriesAfter(known, event, state) : known
}

/** A pause of the match silences both feeds, and the backup a little later: it must have told of more than the main feed's last seconds. */
const LAG_MS = 10_000

const isAhead = ({ backupAt, mainAt }: FeedTimes): boolean => mainAt === undefined || (backupAt ?? 0) - mainAt >= LAG_MS

/**
 * The source to change to, or undefined to stay. The backup takes over when the main feed has been quiet for `quietMs` and the
 * backup has not; the main feed takes over again as soon as it speaks.
 */
export const sourceToChange = (state: MatchState, times: FeedTimes, now: number, quietMs: number): "live" | "live_backup" | undefined => {
  if (state.status === "completed" || state.status === "cancelled") return undefined
  const isQuiet = (at: number | undefined) => at === undefined || now - at >= quietMs
  if (state.source === "live") return isQuiet(times.mainAt) && !isQuiet(times.backupAt) && isAhead(times) ? "live_backup" : undefined
  return isQuiet(times.mainAt) ? undefined : "live"
}
