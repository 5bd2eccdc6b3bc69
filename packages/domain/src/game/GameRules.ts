/**
 * What each game implements so that game-independent code can run its matches: the format of facts and states, and
 * `fold`, which applies a fact to a state. The methods have no side effects.
 *
 * They are methods, not function properties, so that `GameRules<Cs2State, Cs2Event>` is assignable to `GameRules`, the
 * type that game-independent code uses.
 */
import type { FactId, GameName, MatchId } from "../ids.ts"

/** A fact of a match, for any game. Each game defines its types and payloads in its own schema. */
export interface GameEvent {
  readonly id: FactId
  readonly matchId: MatchId
  readonly source: "main" | "backup"
  /** Epoch milliseconds by the clock of the feed. */
  readonly observedAt: number
  /** Epoch milliseconds by the clock of the server. */
  readonly receivedAt: number
  readonly type: string
  readonly payload: unknown
}

export type GameStatus = "scheduled" | "live" | "completed" | "cancelled"

/** The fields that game-independent code reads. Each game adds its own. A state is plain JSON without undefined values. */
export interface GameState {
  readonly matchId: MatchId
  /** A new epoch starts only after history was lost; sequence numbers then start again. */
  readonly epoch: number
  /** Number of accepted facts in this epoch: 1, 2, 3, … without gaps. */
  readonly seq: number
  readonly status: GameStatus
  readonly observedAt: number
  readonly receivedAt: number
  readonly startedAt: number | null
  readonly endedAt: number | null
}

/** `code` is one of the rejection codes of the game. */
export interface GameRejection {
  readonly code: string
  readonly message: string
}

export type GameStep<State> =
  /** `repaired` names the part of the state that the fact corrected, so that a metric can count the correction. */
  | { readonly _tag: "Accepted"; readonly state: State; readonly repaired?: string }
  | { readonly _tag: "Rejected"; readonly state: State | undefined; readonly rejection: GameRejection }

/** Codes of the rejections that are the same for all games. */
export type GenericRejectionCode = "malformed" | "wrong_match" | "fold_defect"

/** How long the feeds of a match may be silent. */
export interface SilenceLimits {
  /** After this silence of the main feed, the backup feed takes over. */
  readonly quietAfterMs: number
  /** After this silence of all feeds during a map, the match becomes `stale`, and later `interrupted`. */
  readonly staleAfterMs: number
  readonly interruptedAfterMs: number
  /** After this silence of all feeds, the match is cancelled. */
  readonly cancelAfterMs: number
}

/** Monitors the feeds of one match. It never changes a state directly: it creates facts, which are appended to FEED. */
export interface GameWatchdog<State extends GameState = GameState, Event extends GameEvent = GameEvent> {
  /**
   * Called for each fact read from FEED. `state` is the state after it. `refusedFor` is the rejection code, or undefined
   * if the fact was accepted. `now` is monotonic, in milliseconds.
   */
  observe(state: State | undefined, event: Event, refusedFor: string | undefined, now: number): void
  /**
   * Called once after a takeover, with the time of the newest fact of the match in FEED, in monotonic milliseconds. The
   * silence that began under an earlier owner continues.
   */
  resume(lastAt: number): void
  /**
   * Called every few seconds. Returns a fact to append to FEED, or undefined. `now` is monotonic, in milliseconds, and
   * measures silence. `at` is the stamp of the fact in epoch milliseconds. A fact that is not appended is returned again
   * by the next check.
   */
  check(state: State, now: number, at: number): Event | undefined
}

export interface GameRules<State extends GameState = GameState, Event extends GameEvent = GameEvent> {
  readonly game: GameName
  /** A checkpoint of another version is passed to `migrate`. */
  readonly stateFormat: number
  /**
   * Converts a checkpoint's state of an older format. If it returns undefined, the state is rebuilt from the facts of
   * the match.
   */
  migrate?(format: number, state: unknown): State | undefined
  /** Codes of rejections that are expected in normal operation. They are counted in metrics but not stored. */
  readonly expectedRejections: ReadonlySet<string>
  fold(state: State | undefined, event: Event): GameStep<State>
  /** The fact that starts the epoch `epoch` after FEED or LIVE has lost records. */
  historyLost(matchId: MatchId, epoch: number, now: number): Event
  /**
   * The fact that cancels a scheduled match because it never began. `now` is in epoch milliseconds. If this method is
   * absent, matches of the game remain scheduled until they begin.
   */
  neverBegan?(matchId: MatchId, now: number): Event
  /**
   * The watchdog of one match. `state` is undefined for a new match. `now` is monotonic, in milliseconds. If this method
   * is absent, the feeds of the game are not monitored.
   */
  watchdog?(state: State | undefined, limits: SilenceLimits, now: number): GameWatchdog<State, Event>
  /**
   * Returns true if the result of a completed match can still change: the actor of the match must keep running. If this
   * method is absent, results never change after the end of a match.
   */
  isOpen?(state: State): boolean
}
