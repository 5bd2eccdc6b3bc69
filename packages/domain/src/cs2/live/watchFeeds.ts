/** Which feed a match should be read from. Pure; what it decides takes effect through FEED. */
import type { FeedPatience, GameWatchdog } from "../../game/GameRules.ts"
import { factId } from "../../ids.ts"
import { furthest, isBehind, knownSeries, seriesAfter, seriesOf } from "./backupSeries.ts"
import { decideBackupSeries } from "./decide.ts"
import { type BackupSeries, type FeedEvent, isOwnWord } from "./feedEvents.ts"
import type { MatchState } from "./state.ts"

/** When each feed last told something, by our clock; undefined: never. */
export interface FeedTimes {
  readonly mainAt: number | undefined
  readonly backupAt: number | undefined
}

export const heardAt = (times: FeedTimes, { receivedAt, source, type }: FeedEvent): FeedTimes => {
  // Our own words are no sign of a feed.
  if (type === "SourceChanged" || type === "HistoryLost" || isOwnWord({ type })) return times
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

/** Between maps a break is normal: feeds may be silent for as many times as long. */
const BREAK_FACTOR = 4

/** What a silence means. Undefined: nothing yet, or nothing new. A match that has not begun may wait for ever. */
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

/** Watches both feeds of one match, from a checkpoint's state on or from nothing. */
export class FeedWatchdog implements GameWatchdog<MatchState, FeedEvent> {
  readonly #patience: FeedPatience
  #times: FeedTimes
  /** What the backup has reported while it stood by. */
  #standby: BackupSeries | undefined
  /** When it first looked: what feeds would have sent before that, nobody took. */
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
