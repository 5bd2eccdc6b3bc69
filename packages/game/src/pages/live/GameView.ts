/**
 * Interface between the live page, which is the same for all games, and the views of a game. The page follows matches,
 * keeps their newest documents and selects what is shown. The game draws its matches.
 */
import type { Client, LiveChange } from "@matchpoint/client"
import type { StoredEvent } from "./LiveStore.ts"

/** Row of the match list. A game adds what its cards show. */
export interface Row {
  readonly matchId: string
  readonly status: string
}

/** Newest known state of a match. */
export interface Known<Match> {
  readonly matchId: string
  readonly epoch: number
  readonly seq: number
  readonly match: Match
}

/** Built once and then updated. */
export interface View<Item> {
  readonly element: HTMLElement
  readonly update: (item: Item) => void
}

export interface MatchView<Match, Shown extends StoredEvent> {
  readonly element: HTMLElement
  /** The events are sorted, newest first. */
  readonly update: (match: Match, events: ReadonlyArray<Shown>) => void
  /** Updates clocks. Called ten times a second. `now` is the stream time in epoch milliseconds. */
  readonly tick: (match: Match, now: number) => void
}

/**
 * `Match` is the document in format v1, `Item` the summary in the list of live matches, `Shown` an event on the page.
 */
export interface GameView<Match, Item, Shown extends StoredEvent, Listed extends Row> {
  /** Name in the API, with which match ids begin. */
  readonly game: string
  readonly title: string
  /** Events that are kept of the match that is shown. */
  readonly keptEvents: number
  readonly rowOfItem: (item: Item, matchId: string) => Listed
  readonly rowOfMatch: (match: Match, matchId: string) => Listed
  /** Values that the page shows of every match. Times are ISO 8601. */
  readonly factsOf: (match: Match) => {
    readonly status: string
    readonly endedAt: string | null
    readonly updatedAt: string
    /** True while the feed normally reports every few seconds, so that older data is marked as old. */
    readonly isInPlay: boolean
    /** Teams or players with the score. */
    readonly title: string
  }
  /** Events of a change, as the page shows them. */
  readonly eventsOf: (change: LiveChange<"v1", string>, match: Match) => ReadonlyArray<Shown>
  /** Reads events that happened before the page was opened. */
  readonly readEvents: (client: Client, known: Known<Match>, signal: AbortSignal) => Promise<ReadonlyArray<Shown>>
  /** Words with which screen readers announce a new event. Undefined if the event is not important. */
  readonly wordsOf: (match: Match, event: Shown) => string | undefined
  /** Card of a match in the list. */
  readonly card: (row: Listed) => View<Listed>
  readonly matchView: () => MatchView<Match, Shown>
}
