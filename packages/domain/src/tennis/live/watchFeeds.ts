/**
 * Decides which feed of a match to use, and detects silent feeds. The decisions are appended to the FEED stream as
 * events and take effect when these events are processed. Has no side effects.
 *
 * Both feeds report the same facts. While the main feed is in use, reports of the backup feed are kept here. If the main
 * feed falls silent, the switch to the backup feed carries those that are newer than the state of the match.
 */
import type { GameWatchdog, SilenceLimits } from "../../game/GameRules.ts"
import { factId } from "../../ids.ts"
import { type FeedEvent, internalTypes, MAX_STANDBY_REPORTS, type ReportedEvent } from "./feedEvents.ts"
import type { MatchState } from "./state.ts"

/**
 * A match switches to the backup feed only if the last report of the backup feed is at least this many milliseconds newer
 * than that of the main feed. Otherwise, breaks of the match would cause switches.
 */
const LAG_MS = 10_000

/** Factor of the time after which a suspended match is cancelled. Rain can stop a match for a day. */
const SUSPENDED_FACTOR = 12

export class FeedWatchdog implements GameWatchdog<MatchState, FeedEvent> {
  readonly #limits: SilenceLimits
  /** Time of the last report of each feed by the server's clock; undefined if there was none. */
  #mainAt: number | undefined
  #backupAt: number | undefined
  /** Newest reports of the backup feed on standby, oldest first. */
  #standby: ReadonlyArray<ReportedEvent> = []
  /** Time of the first check. Silence before it does not count, because this process did not receive events yet. */
  #since: number | undefined

  constructor(state: MatchState | undefined, limits: SilenceLimits) {
    this.#limits = limits
    if (state?.source === "live") this.#mainAt = state.receivedAt
    else this.#backupAt = state?.receivedAt
  }

  observe(_state: MatchState | undefined, event: FeedEvent, refusedFor: string | undefined): void {
    // Events of the server do not prove that a feed works.
    if (!isReport(event)) return
    if (event.source === "main") this.#mainAt = event.receivedAt
    else this.#backupAt = event.receivedAt
    if (refusedFor === "backup_standby") this.#standby = [...this.#standby.slice(1 - MAX_STANDBY_REPORTS), event]
  }

  check(state: MatchState, now: number): FeedEvent | undefined {
    this.#since ??= now
    if (state.status === "completed" || state.status === "cancelled") return undefined
    const source = this.#sourceFor(state, now)
    if (source === undefined) return this.#silence(state, now, this.#since)
    const reports = source === "live_backup" ? this.#standby : []
    this.#standby = []
    const id = factId(`source:${state.epoch}:${state.seq}:${source}`)
    return { ...own(state, now), id, type: "SourceChanged", payload: { source, basedOn: state.seq, reports } }
  }

  #sourceFor(state: MatchState, now: number): "live" | "live_backup" | undefined {
    const isQuiet = (at: number | undefined) => at === undefined || now - at >= this.#limits.quietAfterMs
    if (state.source === "live_backup") return isQuiet(this.#mainAt) ? undefined : "live"
    const isAhead = (this.#backupAt ?? 0) - (this.#mainAt ?? Number.NEGATIVE_INFINITY) >= LAG_MS
    return isQuiet(this.#mainAt) && !isQuiet(this.#backupAt) && isAhead ? "live_backup" : undefined
  }

  #silence(state: MatchState, now: number, since: number): FeedEvent | undefined {
    if (state.status !== "live") return undefined
    const lastReportAt = Math.max(state.receivedAt, this.#mainAt ?? 0, this.#backupAt ?? 0)
    const silentMs = now - Math.max(lastReportAt, since)
    const isSuspended = state.suspendedAt !== null
    if (silentMs >= this.#limits.cancelAfterMs * (isSuspended ? SUSPENDED_FACTOR : 1)) {
      return { ...own(state, now), id: factId(`timeout:${state.epoch}:${state.seq}`), type: "Cancelled", payload: {} }
    }
    const status = silentMs >= this.#limits.interruptedAfterMs ? "interrupted" : silentMs >= this.#limits.staleAfterMs ? "stale" : undefined
    const known = state.silence?.status
    if (isSuspended || status === undefined || status === known || known === "interrupted") return undefined
    const id = factId(`silent:${state.epoch}:${state.seq}:${status}`)
    return { ...own(state, now), id, type: "FeedSilent", payload: { status, lastReportAt, basedOn: state.seq } }
  }
}

const isReport = (event: FeedEvent): event is ReportedEvent => event.type === "MatchCreated" || !internalTypes.has(event.type)

const own = ({ matchId }: MatchState, now: number) => ({ matchId, source: "main", observedAt: now, receivedAt: now }) as const
