/**
 * Decides which feed of a match to use, and detects silent feeds. The decisions are appended to the FEED stream as
 * events and take effect when these events are processed. Has no side effects.
 */
import type { GameWatchdog, SilenceLimits } from "../../game/GameRules.ts"
import { factId } from "../../ids.ts"
import { furthest, isBehind, knownSeries, seriesAfter, seriesOf } from "./backupSeries.ts"
import { decideBackupSeries } from "./decide.ts"
import { type BackupSeries, type FeedEvent, isServerEvent } from "./feedEvents.ts"
import type { MatchState } from "./state.ts"

/**
 * Time of the last event from each feed, according to the server's clock; undefined if the feed has not reported
 * anything.
 */
export interface FeedTimes {
  readonly mainAt: number | undefined
  readonly backupAt: number | undefined
}

export const withReportTime = (times: FeedTimes, { receivedAt, source, type }: FeedEvent): FeedTimes => {
  // Events that the server itself created do not prove that a feed works, so they are ignored here.
  if (type === "SourceChanged" || type === "HistoryLost" || isServerEvent({ type })) return times
  return source === "backup" ? { ...times, backupAt: receivedAt } : { ...times, mainAt: receivedAt }
}

/**
 * Returns the times of the last event from each feed after a match has been restored from a checkpoint. Checkpoints do
 * not contain these times. The newest event is therefore assumed to come from the feed in use, and the other feed is
 * treated as if it had not reported anything.
 */
export const timesOf = ({ receivedAt, source }: MatchState): FeedTimes =>
  source === "live" ? { mainAt: receivedAt, backupAt: undefined } : { mainAt: undefined, backupAt: receivedAt }

/**
 * Returns the maps and scores that the backup feed has reported while on standby, updated by the given event. `series`
 * is the previous result, or undefined before the first report of the backup feed. Invalid events are ignored.
 */
export const standbySeriesAfter = (state: MatchState, series: BackupSeries | undefined, event: FeedEvent): BackupSeries => {
  const known = series === undefined ? seriesOf(state) : furthest(seriesOf(state), series)
  return decideBackupSeries(state, known, event) === undefined ? seriesAfter(known, event, state) : known
}

/**
 * A match switches to the backup feed only if the last report of the backup feed is at least this many milliseconds
 * newer than that of the main feed. Without this minimum, pauses of the match would cause switches, because the backup
 * feed falls silent a little later than the main feed.
 */
const LAG_MS = 10_000

const isAhead = ({ backupAt, mainAt }: FeedTimes): boolean => mainAt === undefined || (backupAt ?? 0) - mainAt >= LAG_MS

/**
 * Returns the feed to switch to, or undefined if the match stays with its feed. The backup feed takes over if the main
 * feed has been silent for `quietMs` and the backup feed has not. The main feed takes over again as soon as it reports.
 */
export const sourceToChange = (state: MatchState, times: FeedTimes, now: number, quietMs: number): "live" | "live_backup" | undefined => {
  if (state.status === "completed" || state.status === "cancelled") return undefined
  const isQuiet = (at: number | undefined) => at === undefined || now - at >= quietMs
  if (state.source === "live") return isQuiet(times.mainAt) && !isQuiet(times.backupAt) && isAhead(times) ? "live_backup" : undefined
  return isQuiet(times.mainAt) ? undefined : "live"
}

/** Factor by which the allowed silence is multiplied between maps, because breaks between maps are normal. */
const BREAK_FACTOR = 4

/**
 * Returns the status that a match must get because its feeds have been silent for too long, or undefined if the status
 * does not change. A match that has not started never changes, because it may have to wait for any length of time.
 */
export const silenceOf = (
  state: MatchState,
  silentMs: number,
  { cancelAfterMs, interruptedAfterMs, staleAfterMs }: SilenceLimits,
): "stale" | "interrupted" | "cancelled" | undefined => {
  if (state.status !== "live") return undefined
  if (silentMs >= cancelAfterMs) return "cancelled"
  const factor = knownSeries(state).maps.at(-1)?.status === "live" ? 1 : BREAK_FACTOR
  if (silentMs >= interruptedAfterMs * factor) return state.silence?.status === "interrupted" ? undefined : "interrupted"
  return silentMs >= staleAfterMs * factor && state.silence === null ? "stale" : undefined
}

/** Monitors both feeds of one match. The initial state comes from a checkpoint; a new match has none. */
export class FeedWatchdog implements GameWatchdog<MatchState, FeedEvent> {
  readonly #limits: SilenceLimits
  #times: FeedTimes
  /** Maps and scores that the backup feed reported while on standby. */
  #standby: BackupSeries | undefined
  /**
   * Time of the first check. Silence before this time does not count, because this process was not yet receiving
   * events.
   */
  #since: number | undefined

  constructor(state: MatchState | undefined, limits: SilenceLimits) {
    this.#limits = limits
    this.#times = state === undefined ? { mainAt: undefined, backupAt: undefined } : timesOf(state)
  }

  observe(state: MatchState | undefined, event: FeedEvent, refusedFor: string | undefined): void {
    this.#times = withReportTime(this.#times, event)
    if (refusedFor === "backup_standby" && state !== undefined) this.#standby = standbySeriesAfter(state, this.#standby, event)
  }

  check(state: MatchState, now: number): FeedEvent | undefined {
    this.#since ??= now
    const source = sourceToChange(state, this.#times, now, this.#limits.quietAfterMs)
    if (source === undefined) return this.#silence(state, now, this.#since)
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

  #silence(state: MatchState, now: number, since: number): FeedEvent | undefined {
    const lastReportAt = Math.max(state.receivedAt, this.#times.mainAt ?? 0, this.#times.backupAt ?? 0)
    const status = silenceOf(state, now - Math.max(lastReportAt, since), this.#limits)
    if (status === undefined) return undefined
    const own = { matchId: state.matchId, source: "main", observedAt: now, receivedAt: now } as const
    const place = `${state.epoch}:${state.seq}`
    if (status === "cancelled") {
      return { ...own, id: factId(`timeout:${place}`), type: "MatchEnded", payload: { winnerTeamId: null, reason: "cancelled" } }
    }
    return { ...own, id: factId(`silent:${place}:${status}`), type: "FeedSilent", payload: { status, lastReportAt, basedOn: state.seq } }
  }
}
