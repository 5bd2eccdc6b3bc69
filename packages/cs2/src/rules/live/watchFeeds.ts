/**
 * Decides which feed of a match to use, and detects silent feeds. The decisions are appended to FEED as facts and take
 * effect when these are processed.
 */
import type { GameWatchdog, SilenceLimits } from "@matchpoint/domain/game/GameRules"
import { factId } from "@matchpoint/domain/ids"
import { isDecision } from "@matchpoint/game/rules/feedEnvelope"
import { ReportTimes } from "@matchpoint/game/rules/ReportTimes"
import { furthest, isBehind, knownSeries, seriesAfter, seriesOf } from "./backupSeries.ts"
import { decideBackupSeries } from "./decide.ts"
import { type BackupSeries, type FeedEvent, isServerEvent } from "./feedEvents.ts"
import type { MatchState } from "./state.ts"

/** Facts that the server itself created do not prove that a feed works. */
const isReport = (event: FeedEvent): boolean =>
  event.type !== "SourceChanged" && event.type !== "HistoryLost" && !isServerEvent(event) && !isDecision(event)

/**
 * What the backup feed has reported while on standby. `series` is the previous result, or undefined before its first
 * report. Invalid events are ignored.
 */
export const standbySeriesAfter = (state: MatchState, series: BackupSeries | undefined, event: FeedEvent): BackupSeries => {
  const known = series === undefined ? seriesOf(state) : furthest(seriesOf(state), series)
  return decideBackupSeries(state, known, event) === undefined ? seriesAfter(known, event, state) : known
}

/** More silence is allowed between maps, because breaks between maps are normal. */
const BREAK_FACTOR = 4

/** Monitors both feeds of one match. */
export class FeedWatchdog implements GameWatchdog<MatchState, FeedEvent> {
  readonly #times: ReportTimes
  /** Report of the backup feed while on standby. */
  #standby: BackupSeries | undefined

  /** `now` is monotonic, in milliseconds. The state comes from a checkpoint; a new match has none. */
  constructor(state: MatchState | undefined, limits: SilenceLimits, now: number) {
    this.#times = new ReportTimes(state, limits, now)
  }

  observe(state: MatchState | undefined, event: FeedEvent, refusedFor: string | undefined, now: number): void {
    if (isReport(event)) this.#times.report(event, now)
    if (refusedFor === "backup_standby" && state !== undefined) this.#standby = standbySeriesAfter(state, this.#standby, event)
  }

  resume(lastAt: number): void {
    this.#times.resume(lastAt)
  }

  check(state: MatchState, now: number, at: number): FeedEvent | undefined {
    if (state.status === "completed" || state.status === "cancelled") return undefined
    const source = this.#times.sourceFor(state.source, now)
    if (source === undefined) return this.#silence(state, now, at)
    const standby = this.#standby
    const isFurther = source === "live_backup" && standby !== undefined && isBehind(seriesOf(state), standby)
    return {
      ...own(state, at),
      id: factId(`source:${state.epoch}:${state.seq}:${source}`),
      type: "SourceChanged",
      payload: { source, basedOn: state.seq, ...(isFurther ? { series: standby } : {}) },
    }
  }

  /** A match that has not started never changes, because it may have to wait for any length of time. */
  #silence(state: MatchState, now: number, at: number): FeedEvent | undefined {
    if (state.status !== "live") return undefined
    const isInMap = knownSeries(state).maps.at(-1)?.status === "live"
    const status = this.#times.silence(now, { silent: isInMap ? 1 : BREAK_FACTOR, cancelled: 1 })
    const place = `${state.epoch}:${state.seq}`
    const basedOn = state.seq
    if (status === "cancelled") {
      const payload = { winnerTeamId: null, reason: "cancelled", basedOn } as const
      return { ...own(state, at), id: factId(`timeout:${place}`), type: "MatchEnded", payload }
    }
    const known = state.silence?.status
    if (status === undefined || status === known || known === "interrupted") return undefined
    const payload = { status, lastReportAt: this.#times.lastReportAt(state), basedOn }
    return { ...own(state, at), id: factId(`silent:${place}:${status}`), type: "FeedSilent", payload }
  }
}

const own = ({ matchId }: MatchState, at: number) => ({ matchId, source: "main", observedAt: at, receivedAt: at }) as const
