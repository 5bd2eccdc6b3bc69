/** Connects the views of one game to the live page. The types of a game's documents are known only in here. */
import type { Client } from "@matchpoint/client"
import type { AnyChange, AnyListItem } from "./Connection.ts"
import type { GameView, Row } from "./GameView.ts"
import { LiveStore, type StoredEvent } from "./LiveStore.ts"
import { matchFrame } from "./matchFrame.ts"
import { cardList } from "./matchList.ts"
import { StreamClock } from "./StreamClock.ts"
import type { WireMatch } from "./wire.ts"

/** `now` is the stream time in epoch milliseconds. */
export interface OpenMatch {
  readonly element: HTMLElement
  /** Draws the newest state. Returns the title of the page, or undefined if nothing is known of the match yet. */
  readonly draw: () => string | undefined
  readonly tick: (now: number) => void
  /** Match for the status in the page header. Undefined if nothing is known of the match yet. */
  readonly wireMatch: () => WireMatch | undefined
  /** Reads events that happened before the page was opened, if anything is known of the match. */
  readonly readEvents: (client: Client, signal: AbortSignal) => Promise<void>
  readonly absent: (why: string) => void
}

export interface LiveSection {
  readonly game: string
  readonly title: string
  readonly clock: StreamClock
  readonly list: (items: ReadonlyArray<AnyListItem>) => void
  /** Returns words to announce, possibly none. Undefined if the change is older than what is known and was ignored. */
  readonly accept: (change: AnyChange) => ReadonlyArray<string> | undefined
  /** `update` returns the number of live matches and of all. */
  readonly openList: () => {
    readonly element: HTMLElement
    readonly update: (now: number) => { readonly live: number; readonly all: number }
  }
  readonly openMatch: (matchId: string) => OpenMatch
  readonly closeMatch: () => void
}

export const liveSection = <Match, Item, Shown extends StoredEvent, Listed extends Row>(
  view: GameView<Match, Item, Shown, Listed>,
): LiveSection => {
  const store = new LiveStore<Match, Item, Shown, Listed>(view)
  return {
    game: view.game,
    title: view.title,
    clock: new StreamClock(),
    list: (items) => store.list(items.map(({ match, matchId }) => ({ matchId, match: match as Item }))),
    accept: (change) => {
      const { epoch, matchId, seq } = change
      const match = change.match as Match
      const events = view.eventsOf(change, match)
      if (!store.accept({ matchId, epoch, seq, match }, events)) return undefined
      return events.flatMap((event) => view.wordsOf(match, event) ?? [])
    },
    openList: () => {
      const { element, fill } = cardList(view.card)
      return {
        element,
        update: (now) => {
          const rows = store.rows(now)
          fill(rows)
          return { live: rows.filter(({ status }) => status === "live").length, all: rows.length }
        },
      }
    },
    openMatch: (matchId) => {
      store.watch(matchId)
      const page = view.matchView()
      const frame = matchFrame(page.element)
      return {
        element: frame.element,
        draw: () => {
          const known = store.match(matchId)
          if (known === undefined) return undefined
          const { status, title } = view.factsOf(known.match)
          frame.present(status)
          page.update(known.match, store.events)
          return title
        },
        tick: (now) => {
          const known = store.match(matchId)
          if (known !== undefined) page.tick(known.match, now)
        },
        wireMatch: () => {
          const known = store.match(matchId)
          return known && { epoch: known.epoch, seq: known.seq, ...view.factsOf(known.match) }
        },
        readEvents: async (client, signal) => {
          const known = store.match(matchId)
          if (known === undefined) return
          const events = await view.readEvents(client, known, signal)
          if (!signal.aborted) store.addEvents(events)
        },
        absent: (why) => {
          if (store.match(matchId) === undefined) frame.absent(why)
        },
      }
    },
    closeMatch: () => store.watch(undefined),
  }
}
