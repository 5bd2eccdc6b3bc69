/**
 * Decides which feed of a match to use, and detects silent feeds, for games whose two feeds report the same facts. The
 * decisions are appended to the FEED stream as events and take effect when these events are processed. Has no side
 * effects.
 *
 * While the main feed is in use, reports of the backup feed are kept here. If the main feed falls silent, the switch to
 * the backup feed carries those that are newer than the state of the match.
 */
import { factId } from "../ids.ts"
import { MAX_STANDBY_REPORTS } from "./feedEnvelope.ts"
import type { GameEvent, GameState, GameWatchdog, SilenceLimits } from "./GameRules.ts"

/** The fields of a state that the watchdog reads. */
export interface WatchedState extends GameState {
  /** The feed in use. */
  readonly source: "live" | "live_backup"
  readonly silence: { readonly status: "stale" | "interrupted"; readonly since: number } | null
  /** Time at which play was suspended; null while it is not. */
  readonly suspendedAt: number | null
}

interface Own {
  readonly matchId: GameState["matchId"]
  readonly id: GameEvent["id"]
  readonly source: "main"
  readonly observedAt: number
  readonly receivedAt: number
}

/** An event that the watchdog appends. */
export type WatchdogEvent<Report> = Own &
  (
    | {
        readonly type: "SourceChanged"
        readonly payload: { readonly source: "live" | "live_backup"; readonly basedOn: number; readonly reports: ReadonlyArray<Report> }
      }
    | {
        readonly type: "FeedSilent"
        readonly payload: { readonly status: "stale" | "interrupted"; readonly lastReportAt: number; readonly basedOn: number }
      }
    | { readonly type: "Cancelled"; readonly payload: object }
  )

/**
 * A match switches to the backup feed only if the last report of the backup feed is at least this many milliseconds newer
 * than that of the main feed. Otherwise, breaks of the match would cause switches.
 */
const LAG_MS = 10_000

export interface WatchdogOptions<Event extends GameEvent, Report extends Event> {
  readonly limits: SilenceLimits
  /** Returns true if a feed has reported the event. Events of the server do not prove that a feed works. */
  readonly isReport: (event: Event) => event is Report
  /** Factor of the time after which a suspended match is cancelled. */
  readonly suspendedFactor: number
}

export class FeedWatchdog<State extends WatchedState, Event extends GameEvent, Report extends Event>
  implements GameWatchdog<State, Event | WatchdogEvent<Report>>
{
  readonly #options: WatchdogOptions<Event, Report>
  /** Time of the last report of each feed by the server's clock; undefined if there was none. */
  #mainAt: number | undefined
  #backupAt: number | undefined
  /** Newest reports of the backup feed on standby, oldest first. */
  #standby: ReadonlyArray<Report> = []
  /** Time of the first check. Silence before it does not count, because this process did not receive events yet. */
  #since: number | undefined

  constructor(state: State | undefined, options: WatchdogOptions<Event, Report>) {
    this.#options = options
    if (state?.source === "live") this.#mainAt = state.receivedAt
    else this.#backupAt = state?.receivedAt
  }

  observe(_state: State | undefined, event: Event, refusedFor: string | undefined): void {
    if (!this.#options.isReport(event)) return
    if (event.source === "main") this.#mainAt = event.receivedAt
    else this.#backupAt = event.receivedAt
    if (refusedFor === "backup_standby") this.#standby = [...this.#standby.slice(1 - MAX_STANDBY_REPORTS), event]
  }

  check(state: State, now: number): WatchdogEvent<Report> | undefined {
    this.#since ??= now
    if (state.status === "completed" || state.status === "cancelled") return undefined
    const source = this.#sourceFor(state, now)
    if (source === undefined) return this.#silence(state, now, this.#since)
    const reports = source === "live_backup" ? this.#standby : []
    this.#standby = []
    const id = factId(`source:${state.epoch}:${state.seq}:${source}`)
    return { ...own(state, now), id, type: "SourceChanged", payload: { source, basedOn: state.seq, reports } }
  }

  #sourceFor(state: State, now: number): "live" | "live_backup" | undefined {
    const isQuiet = (at: number | undefined) => at === undefined || now - at >= this.#options.limits.quietAfterMs
    if (state.source === "live_backup") return isQuiet(this.#mainAt) ? undefined : "live"
    const isAhead = (this.#backupAt ?? 0) - (this.#mainAt ?? Number.NEGATIVE_INFINITY) >= LAG_MS
    return isQuiet(this.#mainAt) && !isQuiet(this.#backupAt) && isAhead ? "live_backup" : undefined
  }

  #silence(state: State, now: number, since: number): WatchdogEvent<Report> | undefined {
    if (state.status !== "live") return undefined
    const { limits, suspendedFactor } = this.#options
    const lastReportAt = Math.max(state.receivedAt, this.#mainAt ?? 0, this.#backupAt ?? 0)
    const silentMs = now - Math.max(lastReportAt, since)
    const isSuspended = state.suspendedAt !== null
    if (silentMs >= limits.cancelAfterMs * (isSuspended ? suspendedFactor : 1)) {
      return { ...own(state, now), id: factId(`timeout:${state.epoch}:${state.seq}`), type: "Cancelled", payload: {} }
    }
    const status = silentMs >= limits.interruptedAfterMs ? "interrupted" : silentMs >= limits.staleAfterMs ? "stale" : undefined
    const known = state.silence?.status
    if (isSuspended || status === undefined || status === known || known === "interrupted") return undefined
    const id = factId(`silent:${state.epoch}:${state.seq}:${status}`)
    return { ...own(state, now), id, type: "FeedSilent", payload: { status, lastReportAt, basedOn: state.seq } }
  }
}

const own = ({ matchId }: GameState, now: number) => ({ matchId, source: "main", observedAt: now, receivedAt: now }) as const
