/**
 * What each feed of a match has sent to this process, for match organisers. In memory, for a limited number of matches;
 * lost at a restart. Rejections are also in the stream REJECTED.
 */
import { type FeedLines, type FeedReport, MAX_LISTED_REJECTIONS, type Rejected } from "@matchpoint/contracts/http/feed/FactsApi"
import type { SubmissionResult } from "@matchpoint/game/feed/GameFeed"

/** Beyond this number, the match without a new report for the longest time is evicted. */
const MOST_MATCHES = 5_000

interface Entry {
  readonly feeds: Map<FeedReport["source"], FeedReport>
  /** Newest first, limited in number. */
  rejected: ReadonlyArray<Rejected>
}

export class FeedReports {
  readonly #entries = new Map<string, Entry>()

  of(matchId: string): { readonly feeds: ReadonlyArray<FeedReport>; readonly rejected: ReadonlyArray<Rejected> } {
    const entry = this.#entries.get(matchId)
    return { feeds: [...(entry?.feeds.values() ?? [])], rejected: entry?.rejected ?? [] }
  }

  /** Notes the outcome of a request. `at` is in epoch milliseconds. */
  note(matchId: string, { events, ignored, lines, problems, shown, source }: SubmissionResult, at: number): void {
    const entry = this.#entryOf(matchId)
    const known = entry.feeds.get(source)
    entry.feeds.set(source, {
      source,
      lastReportAt: at,
      reports: (known?.reports ?? 0) + 1,
      accepted: (known?.accepted ?? 0) + events.length,
      ignored: (known?.ignored ?? 0) + ignored,
      rejected: (known?.rejected ?? 0) + problems.length,
      ...withLines(known?.lines, lines),
      shown: shown ?? known?.shown ?? null,
    })
    for (const { code, line, message } of problems.slice(-MAX_LISTED_REJECTIONS)) {
      this.reject(matchId, { at, source, code, message: clipped(message), ...(line === undefined ? {} : { line }) })
    }
  }

  reject(matchId: string, rejected: Rejected): void {
    const entry = this.#entryOf(matchId)
    entry.rejected = [rejected, ...entry.rejected].slice(0, MAX_LISTED_REJECTIONS)
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

const withLines = (known: FeedLines | undefined, added = known): { readonly lines?: FeedLines } => {
  if (known === undefined || added === undefined || added === known) return added === undefined ? {} : { lines: added }
  const irrelevant: Record<string, number> = { ...known.irrelevant }
  for (const [rule, count] of Object.entries(added.irrelevant)) irrelevant[rule] = (irrelevant[rule] ?? 0) + count
  return {
    lines: {
      understood: known.understood + added.understood,
      repeated: known.repeated + added.repeated,
      reported: known.reported + added.reported,
      irrelevant,
    },
  }
}

const MOST_CHARACTERS = 500

const clipped = (text: string): string => (text.length <= MOST_CHARACTERS ? text : text.slice(0, MOST_CHARACTERS).toWellFormed())
