/**
 * What the feeds of each match have sent to this process, for their organisers: counts, times, and the newest rejections. In memory and
 * bounded; after a restart it begins anew. What was rejected is kept for good in `feed.rejected`.
 */
import { type FeedReport, MAX_TOLD_REJECTIONS, type Rejected } from "@matchpoint/contracts/http/feed/FactsApi"
import type { TakenIn } from "../GameFeed.ts"

/** Matches that are remembered. The one that was heard of longest ago is forgotten first. */
const MOST_MATCHES = 5_000

interface Entry {
  readonly feeds: Map<FeedReport["source"], FeedReport>
  /** Newest first. */
  rejected: ReadonlyArray<Rejected>
}

export class FeedReports {
  readonly #entries = new Map<string, Entry>()

  of(matchId: string): { readonly feeds: ReadonlyArray<FeedReport>; readonly rejected: ReadonlyArray<Rejected> } {
    const entry = this.#entries.get(matchId)
    return { feeds: [...(entry?.feeds.values() ?? [])], rejected: entry?.rejected ?? [] }
  }

  /** A request that was taken, with what became of its facts. `at`: epoch milliseconds. */
  note(matchId: string, { events, ignored, problems, shown, source }: TakenIn, at: number): void {
    const entry = this.#entryOf(matchId)
    const known = entry.feeds.get(source)
    entry.feeds.set(source, {
      source,
      lastReportAt: at,
      reports: (known?.reports ?? 0) + 1,
      accepted: (known?.accepted ?? 0) + events.length,
      ignored: (known?.ignored ?? 0) + ignored,
      rejected: (known?.rejected ?? 0) + problems.length,
      shown: shown ?? known?.shown ?? null,
    })
    for (const { code, line, message } of problems.slice(-MAX_TOLD_REJECTIONS)) {
      this.reject(matchId, { at, source, code, message: clipped(message), ...(line === undefined ? {} : { line }) })
    }
  }

  reject(matchId: string, rejected: Rejected): void {
    const entry = this.#entryOf(matchId)
    entry.rejected = [rejected, ...entry.rejected].slice(0, MAX_TOLD_REJECTIONS)
  }

  #entryOf(matchId: string): Entry {
    const entry = this.#entries.get(matchId) ?? { feeds: new Map(), rejected: [] }
    this.#entries.delete(matchId)
    this.#entries.set(matchId, entry)
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= MOST_MATCHES) break
      this.#entries.delete(oldest)
    }
    return entry
  }
}

const MOST_CHARACTERS = 500

const clipped = (text: string): string => (text.length <= MOST_CHARACTERS ? text : text.slice(0, MOST_CHARACTERS).toWellFormed())
