/**
 * The interface that each game implements so that generic code can run its matches: the format of events and states,
 * and the fold. Pure. Each game has one value of this type in its own folder. Generic code never imports that folder.
 *
 * The members are methods, not function properties, so that `GameRules<Cs2State, Cs2Event>` is assignable to
 * `GameRules`, the type that generic code uses.
 */
import type { FactId, GameName, MatchId } from "../ids.ts"

/** A fact about a match of any game. The schema of the game defines the types and payloads. */
export interface GameEvent {
  readonly id: FactId
  readonly matchId: MatchId
  /** The feed that reported it. */
  readonly source: "main" | "backup"
  /** Epoch milliseconds by the clock of the feed. */
  readonly observedAt: number
  /** Epoch milliseconds by the clock of the server. */
  readonly receivedAt: number
  readonly type: string
  readonly payload: unknown
}

export type GameStatus = "scheduled" | "live" | "completed" | "cancelled"

/** The fields of a state that generic code reads. All other fields belong to the game. Plain JSON without undefined. */
export interface GameState {
  readonly matchId: MatchId
  /** Changes only if history was lost. */
  readonly epoch: number
  /** Number of accepted changes so far: 1, 2, 3, … without gaps. */
  readonly seq: number
  readonly status: GameStatus
  readonly observedAt: number
  readonly receivedAt: number
  readonly startedAt: number | null
  readonly endedAt: number | null
}

/** Reason why an event was rejected. `code` is one of the rejection codes of the game. */
export interface GameRejection {
  readonly code: string
  readonly message: string
}

export type GameStep<State> =
  /** `repaired` names the part of the state that the event corrected. A metric counts it. */
  | { readonly _tag: "Accepted"; readonly state: State; readonly repaired?: string }
  | { readonly _tag: "Rejected"; readonly state: State | undefined; readonly rejection: GameRejection }

/** Rejection codes of the generic code, for any game. */
export type GenericRejectionCode = "malformed" | "wrong_match" | "fold_defect"

/** Limits on the silence of feeds, in milliseconds. */
export interface FeedPatience {
  /** Silence of the main feed until the backup feed takes over. */
  readonly quietAfterMs: number
  /** Silence of all feeds during a map until the match is stale; the next field is the time until it is interrupted. */
  readonly staleAfterMs: number
  readonly interruptedAfterMs: number
  /** Silence of all feeds until the match is cancelled. */
  readonly cancelAfterMs: number
}

/** Watches the feeds of one match. Its events are appended to FEED; it never changes a state itself. */
export interface GameWatchdog<State extends GameState = GameState, Event extends GameEvent = GameEvent> {
  /**
   * Called for each event read from FEED, with the state after it. `refusedFor` is the rejection code, or undefined if
   * the event was accepted.
   */
  heard(state: State | undefined, event: Event, refusedFor: string | undefined): void
  /** Called every few seconds. Returns the event to append, or undefined. */
  check(state: State, now: number): Event | undefined
}

export interface GameRules<State extends GameState = GameState, Event extends GameEvent = GameEvent> {
  readonly game: GameName
  /** Version of the state format. A checkpoint of another version is passed to `migrate`. */
  readonly stateFormat: number
  /**
   * Returns the state of a checkpoint with an older format, or undefined if it cannot be converted: its match is then
   * folded again.
   */
  migrate?(format: number, state: unknown): State | undefined
  /** Codes of rejections that are part of normal operation. They are counted but not stored. */
  readonly expectedRejections: ReadonlySet<string>
  fold(state: State | undefined, event: Event): GameStep<State>
  /** Returns the event that starts `epoch` after FEED or LIVE has lost records. */
  historyLost(matchId: MatchId, epoch: number, now: number): Event
  /**
   * Returns the watchdog of one match, starting from a state or from nothing. If absent, the feeds of the game are not
   * watched.
   */
  watchdog?(state: State | undefined, patience: FeedPatience): GameWatchdog<State, Event>
  /**
   * Returns true if the result of a completed match can still change; its actor then keeps running. If absent, it never
   * can.
   */
  isOpen?(state: State): boolean
}
