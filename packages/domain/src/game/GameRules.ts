/**
 * What a game must define so that generic code can run its matches: the shape of an event and of a state, and the fold. Pure.
 * Each game has one value of this type in its own folder; generic code never imports that folder.
 *
 * Members are methods on purpose: `GameRules<Cs2State, Cs2Event>` is then assignable to `GameRules`, the type that generic code uses.
 */
import type { FactId, GameName, MatchId } from "../ids.ts"

/** A fact of a match of any game. The game's own schema says which types and payloads there are. */
export interface GameEvent {
  readonly id: FactId
  readonly matchId: MatchId
  /** The feed that reported it. */
  readonly source: "main" | "backup"
  /** Epoch milliseconds by the feed's clock. */
  readonly observedAt: number
  /** Epoch milliseconds by our clock. */
  readonly receivedAt: number
  readonly type: string
  readonly payload: unknown
}

export type GameStatus = "scheduled" | "live" | "completed" | "cancelled"

/** What generic code reads of a state. Everything else in it belongs to the game. Plain JSON without undefined. */
export interface GameState {
  readonly matchId: MatchId
  /** Changes only if history was lost. */
  readonly epoch: number
  /** Accepted changes so far: 1, 2, 3, … without holes. */
  readonly seq: number
  readonly status: GameStatus
  readonly observedAt: number
  readonly receivedAt: number
  readonly startedAt: number | null
  readonly endedAt: number | null
}

/** Why an event was refused. `code` is one of the game's rejection codes. */
export interface GameRejection {
  readonly code: string
  readonly message: string
}

export type GameStep<State> =
  /** `repaired`: what the event corrected in the state; counted. */
  | { readonly _tag: "Accepted"; readonly state: State; readonly repaired?: string }
  | { readonly _tag: "Rejected"; readonly state: State | undefined; readonly rejection: GameRejection }

/** Every game's generic code refuses these itself. */
export type GenericRejectionCode = "malformed" | "wrong_match" | "fold_defect"

/** How long feeds may be silent, in milliseconds. */
export interface FeedPatience {
  /** Of the main feed, before a backup takes over. */
  readonly quietAfterMs: number
  /** Of all feeds, while a map is in play, before the match is stale, and before it is interrupted. */
  readonly staleAfterMs: number
  readonly interruptedAfterMs: number
  /** Of all feeds, before the match is cancelled. */
  readonly cancelAfterMs: number
}

/** Watches the feeds of one match. What it reports is appended to FEED; it never changes a state. */
export interface GameWatchdog<State extends GameState = GameState, Event extends GameEvent = GameEvent> {
  /** Called for each event read from FEED, with the state after it. `refusedFor`: the rejection's code; undefined if it was accepted. */
  heard(state: State | undefined, event: Event, refusedFor: string | undefined): void
  /** Called every few seconds. Returns the event to append, or undefined. */
  check(state: State, now: number): Event | undefined
}

export interface GameRules<State extends GameState = GameState, Event extends GameEvent = GameEvent> {
  readonly game: GameName
  /** Version of the state's shape. A checkpoint of another version goes through `migrate`. */
  readonly stateFormat: number
  /** The state that a checkpoint of an older version stands for, or undefined if it cannot be told: its match is folded anew. */
  migrate?(format: number, state: unknown): State | undefined
  /** Codes of refusals that are part of normal operation: they are counted and not stored. */
  readonly expectedRejections: ReadonlySet<string>
  fold(state: State | undefined, event: Event): GameStep<State>
  /** The event that starts `epoch` after FEED or LIVE has lost records. */
  historyLost(matchId: MatchId, epoch: number, now: number): Event
  /** The watchdog of one match, starting from a state or from nothing. Absent: nothing watches the game's feeds. */
  watchdog?(state: State | undefined, patience: FeedPatience): GameWatchdog<State, Event>
  /** Whether the result of a match that is over may still change: its actor keeps running. Absent: it never does. */
  isOpen?(state: State): boolean
}
