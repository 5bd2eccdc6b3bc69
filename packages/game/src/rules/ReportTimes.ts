/**
 * Measures the silence of the feeds of one match, and decides what it means for the feed in use and for the match. Times
 * are monotonic milliseconds of the process that runs the match, so a changed wall clock neither creates nor hides
 * silence.
 */
import type { GameEvent, GameState, SilenceLimits } from "@matchpoint/domain/game/GameRules"

export type FeedName = "live" | "live_backup"

/**
 * A match switches to the backup feed only if its last report was received at least this much later than that of the
 * main feed. Otherwise pauses of the match would cause switches, because the backup feed falls silent a little later
 * than the main feed.
 */
const LAG_MS = 10_000

/** Factors for a silence that is normal for the match at the moment. */
export interface SilenceFactors {
  /** Factor of the limits for `stale` and `interrupted`. `Infinity` if this silence is normal. */
  readonly silent: number
  /** Factor of the limit for `cancelled`. */
  readonly cancelled: number
}

export class ReportTimes {
  readonly #limits: SilenceLimits
  /** From this time on, this process has received the reports of the match. */
  readonly #since: number
  #lastAt: number
  /** Last report of each feed; undefined if there was none. */
  #mainAt: number | undefined
  #backupAt: number | undefined
  /** The same reports by the server's clock, in epoch milliseconds. */
  #mainReceivedAt: number | undefined
  #backupReceivedAt: number | undefined

  /** `state` comes from a checkpoint. Its newest event is assumed to come from the feed in use. */
  constructor(state: (GameState & { readonly source: FeedName }) | undefined, limits: SilenceLimits, now: number) {
    this.#limits = limits
    this.#since = now
    this.#lastAt = now
    if (state !== undefined) this.#note(state.source === "live", state.receivedAt, now)
  }

  /** Events that the server created prove nothing about a feed and must not be passed. */
  report({ receivedAt, source }: GameEvent, now: number): void {
    this.#note(source === "main", receivedAt, now)
  }

  /** Counts the silence from `lastAt` if it began before this process received the reports of the match. */
  resume(lastAt: number): void {
    this.#lastAt = Math.min(this.#lastAt, lastAt)
    if (this.#mainAt !== undefined) this.#mainAt = Math.min(this.#mainAt, lastAt)
    if (this.#backupAt !== undefined) this.#backupAt = Math.min(this.#backupAt, lastAt)
  }

  /** Epoch milliseconds. */
  lastReportAt({ receivedAt }: GameState): number {
    return Math.max(receivedAt, this.#mainReceivedAt ?? 0, this.#backupReceivedAt ?? 0)
  }

  /**
   * The backup feed takes over if only the main feed has been silent for too long; the main feed as soon as it reports.
   */
  sourceFor(source: FeedName, now: number): FeedName | undefined {
    const isQuiet = (at: number | undefined) => at === undefined || now - at >= this.#limits.quietAfterMs
    if (source === "live_backup") return isQuiet(this.#mainAt) ? undefined : "live"
    const isAhead = (this.#backupReceivedAt ?? 0) - (this.#mainReceivedAt ?? Number.NEGATIVE_INFINITY) >= LAG_MS
    return isQuiet(this.#mainAt) && !isQuiet(this.#backupAt) && isAhead ? "live_backup" : undefined
  }

  /**
   * What the silence of all feeds means for a live match; undefined if it is too short. A process that has just taken
   * the match over waits for reports first: the feeds could not report during an outage. It waits for as long as the
   * limit of `stale`, and for that of `interrupted` before it cancels the match.
   */
  silence(now: number, factors: SilenceFactors): "stale" | "interrupted" | "cancelled" | undefined {
    const { cancelAfterMs, interruptedAfterMs, staleAfterMs } = this.#limits
    const isSilent = (limitMs: number, waitMs: number) => now - this.#lastAt >= limitMs && now - this.#since >= Math.min(limitMs, waitMs)
    if (isSilent(cancelAfterMs * factors.cancelled, interruptedAfterMs)) return "cancelled"
    if (isSilent(interruptedAfterMs * factors.silent, staleAfterMs)) return "interrupted"
    return isSilent(staleAfterMs * factors.silent, staleAfterMs) ? "stale" : undefined
  }

  #note(isMain: boolean, receivedAt: number, now: number): void {
    this.#lastAt = now
    if (isMain) {
      this.#mainAt = now
      this.#mainReceivedAt = receivedAt
    } else {
      this.#backupAt = now
      this.#backupReceivedAt = receivedAt
    }
  }
}
