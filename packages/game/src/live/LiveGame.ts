/**
 * Interface that a game implements so that the match service can run its matches. Each game provides one object of this
 * type in its own folder, so the actor and the supervisor contain no code for a specific game. The members are declared
 * as methods, so that an implementation with the game's own types is assignable to the generic type.
 */
import type { WebhookEvent } from "@matchpoint/contracts/webhook/webhookEvents"
import type { GameEvent, GameRules, GameState } from "@matchpoint/domain/game/GameRules"
import type { MatchId } from "@matchpoint/domain/ids"
import type { RegisteredMatch } from "@matchpoint/store/live/Matches"
import type { Result, Schema } from "effect"

/**
 * Encodes the published records of one match. An encoder may cache earlier results, but the cache must not affect the
 * content of the records: any other encoder must produce the same content.
 */
export interface LiveEncoder<State extends GameState = GameState, Event extends GameEvent = GameEvent> {
  /**
   * Encodes the record for the LIVE stream that describes the change from `before` to `after`, which `event` caused.
   */
  encode(before: State | undefined, after: State, event: Event): Uint8Array
  /**
   * Returns a keyframe, a record that contains the whole document, in place of a change record. `record` is the change
   * record that led to `state`.
   */
  keyframeOf(state: State, record: Uint8Array): Uint8Array
  /**
   * Returns a record of kind `kept`, which contains the current document. It restores the document if the log no longer
   * contains it.
   */
  kept(state: State): Uint8Array
}

/** A change of a match: the states before and after the event that caused it. */
export interface MatchChange<State extends GameState = GameState, Event extends GameEvent = GameEvent> {
  readonly before: State | undefined
  readonly after: State
  readonly event: Event
  /** Part of the state that the event corrected, see `GameStep`. */
  readonly repaired: string | undefined
}

export interface LiveGame<State extends GameState = GameState, Event extends GameEvent = GameEvent> {
  readonly rules: GameRules<State, Event>
  /**
   * Decodes a record of the FEED stream, which contains one incoming event. Fails with the reason if the record is
   * malformed.
   */
  decodeEvent(data: Uint8Array): Result.Result<Event, unknown>
  encodeEvent(event: Event): Uint8Array
  /** Creates an encoder for one match. */
  encoder(): LiveEncoder<State, Event>
  /**
   * Derives the webhook events of a change, in the order in which customers receive them. Must be a pure function: an
   * owner that derives the events of a change again must get the same events. Called on the hot path.
   */
  webhookEvents?(change: MatchChange<State, Event>): ReadonlyArray<WebhookEvent>
  /** Returns the result of a finished match as it is stored in the match register. */
  resultOf(state: State): Schema.Json
  /**
   * Returns the values that lists of matches show and that change during the match, such as the score. When they change, the
   * match gets a new list entry. Must be cheap.
   */
  listed(state: State): ReadonlyArray<unknown>
  /** Returns the number of maps or sets that each side has won, as stored in the match register. */
  partsWon(state: State): readonly [number, number]
  /**
   * Recreates the first event of a registered match, for use if the FEED stream has lost that event. Returns undefined
   * if the match's row in the register does not contain enough data.
   */
  createdAgain(row: RegisteredMatch, matchId: MatchId, now: number): Event | undefined
}
