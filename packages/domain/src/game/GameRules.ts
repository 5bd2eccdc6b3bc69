/**
 * The interface that each game implements so that game-independent code can run its matches: the format of events and
 * states, and the `fold` function, which applies an event to a state. The methods have no side effects. The folder of
 * each game contains one value of this type. Game-independent code never imports that folder.
 *
 * The members are methods, not function properties, so that `GameRules<Cs2State, Cs2Event>` is assignable to
 * `GameRules`, the type that game-independent code uses.
 */
import type { FactId, GameName, MatchId } from "../ids.ts"

/** An event of a match, for any game. Each game defines its event types and payloads in its own schema. */
export interface GameEvent {
  readonly id: FactId
  readonly matchId: MatchId
  /** The feed that reported the event. */
  readonly source: "main" | "backup"
  /** Time of the event in epoch milliseconds, according to the clock of the feed. */
  readonly observedAt: number
  /** Time at which the server received the event, in epoch milliseconds, according to the server's clock. */
  readonly receivedAt: number
  readonly type: string
  readonly payload: unknown
}

export type GameStatus = "scheduled" | "live" | "completed" | "cancelled"

/**
 * The fields of a match state that game-independent code reads. Each game adds its own fields, which only code of that
 * game reads. A state is plain JSON without undefined values.
 */
export interface GameState {
  readonly matchId: MatchId
  /**
   * Number of the match's current epoch. A new epoch starts only after history was lost; sequence numbers then start
   * again.
   */
  readonly epoch: number
  /** Number of accepted events in this epoch: 1, 2, 3, … without gaps. */
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
  /** `repaired` names the part of the state that the event corrected, so that a metric can count the correction. */
  | { readonly _tag: "Accepted"; readonly state: State; readonly repaired?: string }
  | { readonly _tag: "Rejected"; readonly state: State | undefined; readonly rejection: GameRejection }

/** Codes of the rejections made by game-independent code, which are the same for all games. */
export type GenericRejectionCode = "malformed" | "wrong_match" | "fold_defect"

/**
 * How long the feeds of a match may be silent before the match switches to the backup feed or gets a different status,
 * in milliseconds.
 */
export interface SilenceLimits {
  /** How long the main feed must be silent before the backup feed takes over, in milliseconds. */
  readonly quietAfterMs: number
  /**
   * How long all feeds must be silent during a map before the match gets the status `stale`, in milliseconds.
   * `interruptedAfterMs` is the corresponding time for the status `interrupted`.
   */
  readonly staleAfterMs: number
  readonly interruptedAfterMs: number
  /** How long all feeds must be silent before the match is cancelled, in milliseconds. */
  readonly cancelAfterMs: number
}

/**
 * Monitors the feeds of one match. The watchdog never changes a match state directly; it creates events, which are
 * appended to the FEED stream.
 */
export interface GameWatchdog<State extends GameState = GameState, Event extends GameEvent = GameEvent> {
  /**
   * Called for each event read from the FEED stream. `state` is the match state after the event. `refusedFor` is the
   * rejection code, or undefined if the event was accepted. `now` is the monotonic time in milliseconds.
   */
  observe(state: State | undefined, event: Event, refusedFor: string | undefined, now: number): void
  /**
   * Called once after a takeover, with the time of the newest event of the match in FEED, in monotonic milliseconds. The
   * silence that began under an earlier owner continues.
   */
  resume(lastAt: number): void
  /**
   * Called every few seconds. Returns an event to append to the FEED stream, or undefined if none is necessary. `now` is
   * the monotonic time in milliseconds, and measures silence. `at` is the stamp of the event in epoch milliseconds. An event
   * that is not appended is returned again by the next check.
   */
  check(state: State, now: number, at: number): Event | undefined
}

export interface GameRules<State extends GameState = GameState, Event extends GameEvent = GameEvent> {
  readonly game: GameName
  /** Version of the state format. A checkpoint of another version is passed to `migrate`. */
  readonly stateFormat: number
  /**
   * Converts a state from a checkpoint with an older format to the current format. Returns undefined if this is
   * impossible, in which case the state is rebuilt from the events of the match.
   */
  migrate?(format: number, state: unknown): State | undefined
  /**
   * Codes of rejections that are expected in normal operation. Such rejections are counted in metrics but not stored.
   */
  readonly expectedRejections: ReadonlySet<string>
  fold(state: State | undefined, event: Event): GameStep<State>
  /**
   * Returns the event that starts a new epoch with the number `epoch`, after the FEED or LIVE stream has lost records.
   */
  historyLost(matchId: MatchId, epoch: number, now: number): Event
  /**
   * Returns the event that cancels a scheduled match because it never began. `now` is in epoch milliseconds. If this method
   * is absent, matches of the game remain scheduled until they begin.
   */
  neverBegan?(matchId: MatchId, now: number): Event
  /**
   * Returns the watchdog of one match, which starts from the given state, or without a state for a new match. `now` is the
   * monotonic time in milliseconds. If this method is absent, the feeds of the game are not monitored.
   */
  watchdog?(state: State | undefined, limits: SilenceLimits, now: number): GameWatchdog<State, Event>
  /**
   * Returns true if the result of a completed match can still change. In that case the actor (the process that owns the
   * match) must keep running. If this method is absent, results never change after the end of a match.
   */
  isOpen?(state: State): boolean
}
