/**
 * Decides which feed of a match to use, and detects silent feeds. Pure. The decisions are appended to FEED and take
 * effect from there.
 */
import type { FeedPatience, GameWatchdog } from "../../game/GameRules.ts"
import { factId } from "../../ids.ts"
import { furthest, isBehind, knownSeries, seriesAfter, seriesOf } from "./backupSeries.ts"
import { decideBackupSeries } from "./decide.ts"
import { type BackupSeries, type FeedEvent, isOwnWord } from "./feedEvents.ts"
import type { MatchState } from "./state.ts"

/** Time of the last report of each feed, by the server's clock; undefined if there was none. */
export interface FeedTimes {
  readonly mainAt: number | undefined
  readonly backupAt: number | undefined
}

export const heardAt = (times: FeedTimes, { receivedAt, source, type }: FeedEvent): FeedTimes => {
  // Events of the server itself do not show that a feed works.
  if (type === "SourceChanged" || type === "HistoryLost" || isOwnWord({ type })) return times
  return source === "backup" ? { ...times, backupAt: receivedAt } : { ...times, mainAt: receivedAt }
}

/**
 * Returns the report times to assume for the state of a checkpoint: its newest fact came from the feed in use, and the
 * other feed has not reported.
 */
export const timesOf = ({ receivedAt, source }: MatchState): FeedTimes =>
  source === "live" ? { mainAt: receivedAt, backupAt: undefined } : { mainAt: undefined, backupAt: receivedAt }

/**
 * Returns the series that the backup feed has reported while on standby. `series` is undefined before its first report.
 * Invalid facts are ignored.
 */
export const heardInStandby = (state: MatchState, series: BackupSeries | undefined, event: FeedEvent): BackupSeries => {
  const known = series === undefined ? seriesOf(state) : furthest(seriesOf(state), series)
  return decideBackupSeries(state, known, event) === undefined ? seriesAfter(known, event, state) : known
}

/**
 * Minimum time by which the last report of the backup feed must be newer than that of the main feed. During a pause of
 * the match both feeds are silent, and the backup feed a little later.
 */
const LAG_MS = 10_000

const isAhead = ({ backupAt, mainAt }: FeedTimes): boolean => mainAt === undefined || (backupAt ?? 0) - mainAt >= LAG_MS

/**
 * Returns the feed to switch to, or undefined to stay. The backup feed takes over if the main feed has been silent for
 * `quietMs` and the backup feed has not. The main feed takes over again as soon as it reports.
 */
export const sourceToChange = (state: MatchState, times: FeedTimes, now: number, quietMs: number): "live" | "live_backup" | undefined => {
  if (state.status === "completed" || state.status === "cancelled") return undefined
  const isQuiet = (at: number | undefined) => at === undefined || now - at >= quietMs
  if (state.source === "live") return isQuiet(times.mainAt) && !isQuiet(times.backupAt) && isAhead(times) ? "live_backup" : undefined
  return isQuiet(times.mainAt) ? undefined : "live"
}

/** Factor for the allowed silence between maps, where breaks are normal. */
const BREAK_FACTOR = 4

/**
 * Returns the new status of a match after a silence, or undefined if it does not change. A match that has not started
 * may wait forever.
 */
export const silenceOf = (
  state: MatchState,
  silentMs: number,
  { cancelAfterMs, interruptedAfterMs, staleAfterMs }: FeedPatience,
): "stale" | "interrupted" | "cancelled" | undefined => {
  if (state.status !== "live") return undefined
  if (silentMs >= cancelAfterMs) return "cancelled"
  const factor = knownSeries(state).maps.at(-1)?.status === "live" ? 1 : BREAK_FACTOR
  if (silentMs >= interruptedAfterMs * factor) return state.silence?.status === "interrupted" ? undefined : "interrupted"
  return silentMs >= staleAfterMs * factor && state.silence === null ? "stale" : undefined
}

/** Watches both feeds of one match, starting from the state of a checkpoint or from nothing. */
export class FeedWatchdog implements GameWatchdog<MatchState, FeedEvent> {
  readonly #patience: FeedPatience
  #times: FeedTimes
  /** The series that the backup feed reported while on standby. */
  #standby: BackupSeries | undefined
  /** Time of the first check. Earlier silence does not count, because this process was not receiving facts. */
  #since: number | undefined

  constructor(state: MatchState | undefined, patience: FeedPatience) {
    this.#patience = patience
    this.#times = state === undefined ? { mainAt: undefined, backupAt: undefined } : timesOf(state)
  }

  heard(state: MatchState | undefined, event: FeedEvent, refusedFor: string | undefined): void {
    this.#times = heardAt(this.#times, event)
    if (refusedFor === "backup_standby" && state !== undefined) this.#standby = heardInStandby(state, this.#standby, event)
  }

  check(state: MatchState, now: number): FeedEvent | undefined {
    this.#since ??= now
    const source = sourceToChange(state, this.#times, now, this.#patience.quietAfterMs)
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
    const status = silenceOf(state, now - Math.max(lastReportAt, since), this.#patience)
    if (status === undefined) return undefined
    const own = { matchId: state.matchId, source: "main", observedAt: now, receivedAt: now } as const
    const place = `${state.epoch}:${state.seq}`
    if (status === "cancelled") {
      return { ...own, id: factId(`timeout:${place}`), type: "MatchEnded", payload: { winnerTeamId: null, reason: "cancelled" } }
    }
    return { ...own, id: factId(`silent:${place}:${status}`), type: "FeedSilent", payload: { status, lastReportAt, basedOn: state.seq } }
  }
}
