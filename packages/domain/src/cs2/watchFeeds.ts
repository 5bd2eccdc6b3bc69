/** Which feed a match should be read from. Pure; what it decides takes effect through FEED. */
import type { GameWatchdog } from "../game/GameRules.ts"
import { factId } from "../ids.ts"
import { furthest, isBehind, seriesAfter, seriesOf } from "./backupSeries.ts"
import { decideBackupSeries } from "./decide.ts"
import type { BackupSeries, FeedEvent } from "./feedEvents.ts"
import type { MatchState } from "./state.ts"

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

/** Watches both feeds of one match, from a checkpoint's state on or from nothing. */
export class FeedWatchdog implements GameWatchdog<MatchState, FeedEvent> {
  readonly #quietMs: number
  #times: FeedTimes
  /** What the backup has reported while it stood by. */
  #standby: BackupSeries | undefined

  constructor(state: MatchState | undefined, quietMs: number) {
    this.#quietMs = quietMs
    this.#times = state === undefined ? { mainAt: undefined, backupAt: undefined } : timesOf(state)
  }

  heard(state: MatchState | undefined, event: FeedEvent, refusedFor: string | undefined): void {
    this.#times = heardAt(this.#times, event)
    if (refusedFor === "backup_standby" && state !== undefined) this.#standby = heardInStandby(state, this.#standby, event)
  }

  check(state: MatchState, now: number): FeedEvent | undefined {
    const source = sourceToChange(state, this.#times, now, this.#quietMs)
    if (source === undefined) return undefined
    const standby = this.#standby
    const isFurther = source === "live_backup" && standby !== undefined && isBehind(seriesOf(state), standby)
    return {
      id: factId(`source:${state.epoch}:${state.seq}:${source}`),
      matchId: state.matchId,
      source: "main",
      observedAt: now,
      receivedAt: now,
      type: "SourceChanged",
      payload: { source, basedOn: state.seq, ...(isFurther ? { series: standby } : {}) },
    }
  }
}
