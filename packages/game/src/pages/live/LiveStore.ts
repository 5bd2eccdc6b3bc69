/**
 * Data of one game on the live page: newest documents, rows of the match list, and events of the match that is shown.
 */
import type { GameView, Known, Row } from "./GameView.ts"

export interface StoredEvent {
  readonly eventId: string
  /** ISO 8601, by the clock of the feed. */
  readonly observedAt: string
}

export type Stored<Match, Item, Shown extends StoredEvent, Listed extends Row> = Pick<
  GameView<Match, Item, Shown, Listed>,
  "factsOf" | "keptEvents" | "rowOfItem" | "rowOfMatch"
>

/** How long a finished match stays in the list. */
const KEPT_FINISHED_MS = 10 * 60_000

export class LiveStore<Match, Item, Shown extends StoredEvent, Listed extends Row> {
  readonly #game: Stored<Match, Item, Shown, Listed>
  #known: Map<string, Known<Match>> = new Map()
  #listed: Map<string, Listed> = new Map()
  /** Events of the match that is shown, newest first. */
  #events: Array<Shown> = []
  #watched: string | undefined

  constructor(game: Stored<Match, Item, Shown, Listed>) {
    this.#game = game
  }

  match(matchId: string): Known<Match> | undefined {
    return this.#known.get(matchId)
  }

  get events(): ReadonlyArray<Shown> {
    return this.#events
  }

  /** Returns false if the change was ignored, because its state is older than the stored one. */
  accept({ epoch, match, matchId, seq }: Known<Match>, events: ReadonlyArray<Shown>): boolean {
    const before = this.#known.get(matchId)
    if (before !== undefined && (before.epoch > epoch || (before.epoch === epoch && before.seq > seq))) return false
    this.#known.set(matchId, { matchId, epoch, seq, match })
    if (matchId === this.#watched) this.addEvents(events)
    return true
  }

  /** Removes stored live matches that are not in the new list, except the match that is shown. */
  list(items: ReadonlyArray<{ readonly matchId: string; readonly match: Item }>) {
    this.#listed = new Map(items.map(({ match, matchId }) => [matchId, this.#game.rowOfItem(match, matchId)]))
    for (const [matchId, { match }] of this.#known) {
      const isLive = this.#game.factsOf(match).status === "live"
      if (isLive && !this.#listed.has(matchId) && matchId !== this.#watched) this.#known.delete(matchId)
    }
  }

  /** Live matches by number, then finished ones. `now` is the stream time in epoch milliseconds. */
  rows(now: number): ReadonlyArray<Listed> {
    const rows = new Map(this.#listed)
    for (const [matchId, { match }] of this.#known) {
      const { endedAt } = this.#game.factsOf(match)
      if (endedAt !== null && now - Date.parse(endedAt) > KEPT_FINISHED_MS) rows.delete(matchId)
      else rows.set(matchId, this.#game.rowOfMatch(match, matchId))
    }
    const rank = (row: Row) => (row.status === "live" ? 0 : 1)
    return [...rows.values()].sort((a, b) => rank(a) - rank(b) || a.matchId.localeCompare(b.matchId, "en", { numeric: true }))
  }

  watch(matchId: string | undefined) {
    if (this.#watched !== matchId) this.#events = []
    this.#watched = matchId
  }

  /** Ignores events that are already stored. */
  addEvents(events: ReadonlyArray<Shown>) {
    const ids = new Set(this.#events.map(({ eventId }) => eventId))
    const added = events.filter(({ eventId }) => !ids.has(eventId))
    if (added.length === 0) return
    // Newest first. The sort is stable, so events of the same millisecond keep their order.
    const merged = [...added, ...this.#events].sort((a, b) => Date.parse(b.observedAt) - Date.parse(a.observedAt))
    this.#events = merged.slice(0, this.#game.keptEvents)
  }
}
