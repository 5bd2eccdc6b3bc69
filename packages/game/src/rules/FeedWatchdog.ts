/**
 * Decides which feed of a match to use, and detects silent feeds, for games whose two feeds report the same facts. The
 * decisions are appended to FEED and take effect when they are folded. No side effects.
 *
 * While the main feed is in use, reports of the backup feed are kept here. If the main feed falls silent, the switch to
 * the backup feed carries those that are newer than the state of the match.
 */
import type { GameEvent, GameState, GameWatchdog, SilenceLimits } from "@matchpoint/domain/game/GameRules"
import { factId } from "@matchpoint/domain/ids"
import { isDecision, MAX_STANDBY_REPORTS } from "./feedEnvelope.ts"
import { ReportTimes } from "./ReportTimes.ts"

export interface WatchedState extends GameState {
  readonly source: "live" | "live_backup"
  readonly silence: { readonly status: "stale" | "interrupted"; readonly since: number } | null
  /** Null while play is not suspended. */
  readonly suspendedAt: number | null
}

interface Own {
  readonly matchId: GameState["matchId"]
  readonly id: GameEvent["id"]
  readonly source: "main"
  readonly observedAt: number
  readonly receivedAt: number
}

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
    | { readonly type: "Cancelled"; readonly payload: { readonly basedOn: number } }
  )

export interface WatchdogOptions<Event extends GameEvent, Report extends Event> {
  readonly limits: SilenceLimits
  /** True for events of a feed. Events of the server do not prove that a feed works. */
  readonly isReport: (event: Event) => event is Report
  /** Factor of the time after which a suspended match is cancelled. */
  readonly suspendedFactor: number
}

export class FeedWatchdog<State extends WatchedState, Event extends GameEvent, Report extends Event>
  implements GameWatchdog<State, Event | WatchdogEvent<Report>>
{
  readonly #options: WatchdogOptions<Event, Report>
  readonly #times: ReportTimes
  /** Newest reports of the backup feed on standby, oldest first. */
  #standby: ReadonlyArray<Report> = []

  constructor(state: State | undefined, options: WatchdogOptions<Event, Report>, now: number) {
    this.#options = options
    this.#times = new ReportTimes(state, options.limits, now)
  }

  observe(_state: State | undefined, event: Event, refusedFor: string | undefined, now: number): void {
    if (event.type === "SourceChanged" && refusedFor === undefined) this.#standby = []
    if (!this.#options.isReport(event) || isDecision(event)) return
    this.#times.report(event, now)
    if (refusedFor === "backup_standby") this.#standby = [...this.#standby.slice(1 - MAX_STANDBY_REPORTS), event]
  }

  resume(lastAt: number): void {
    this.#times.resume(lastAt)
  }

  check(state: State, now: number, at: number): WatchdogEvent<Report> | undefined {
    if (state.status === "completed" || state.status === "cancelled") return undefined
    const source = this.#times.sourceFor(state.source, now)
    if (source === undefined) return this.#silence(state, now, at)
    const reports = source === "live_backup" ? this.#standby : []
    const id = factId(`source:${state.epoch}:${state.seq}:${source}`)
    return { ...own(state, at), id, type: "SourceChanged", payload: { source, basedOn: state.seq, reports } }
  }

  #silence(state: State, now: number, at: number): WatchdogEvent<Report> | undefined {
    if (state.status !== "live") return undefined
    const isSuspended = state.suspendedAt !== null
    const status = this.#times.silence(now, {
      silent: isSuspended ? Number.POSITIVE_INFINITY : 1,
      cancelled: isSuspended ? this.#options.suspendedFactor : 1,
    })
    const basedOn = state.seq
    if (status === "cancelled") {
      return { ...own(state, at), id: factId(`timeout:${state.epoch}:${state.seq}`), type: "Cancelled", payload: { basedOn } }
    }
    const known = state.silence?.status
    if (status === undefined || status === known || known === "interrupted") return undefined
    const id = factId(`silent:${state.epoch}:${state.seq}:${status}`)
    return { ...own(state, at), id, type: "FeedSilent", payload: { status, lastReportAt: this.#times.lastReportAt(state), basedOn } }
  }
}

const own = ({ matchId }: GameState, at: number) => ({ matchId, source: "main", observedAt: at, receivedAt: at }) as const
