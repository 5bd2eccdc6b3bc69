/**
 * What a game implements so that the match service can run its matches. The members are methods, so that an
 * implementation with the game's own types is assignable to the generic type.
 */
import type { WebhookEvent } from "@matchpoint/contracts/webhook/webhookEvents"
import type { GameEvent, GameRules, GameState } from "@matchpoint/domain/game/GameRules"
import type { MatchId } from "@matchpoint/domain/ids"
import type { RegisteredMatch } from "@matchpoint/store/live/Matches"
import type { Result, Schema } from "effect"

/** Encodes the records of one match. May cache, but any other encoder must produce the same content. */
export interface LiveEncoder<State extends GameState = GameState, Event extends GameEvent = GameEvent> {
  /** Encodes the record of LIVE for the change from `before` to `after`, which `event` caused. */
  encode(before: State | undefined, after: State, event: Event): Uint8Array
  /** A keyframe contains the whole document and replaces `record`, the change record that led to `state`. */
  keyframeOf(state: State, record: Uint8Array): Uint8Array
  /** A record of kind `kept`, which restores the current document if the log no longer contains it. */
  kept(state: State): Uint8Array
}

/** `event` caused the change from `before` to `after`. */
export interface MatchChange<State extends GameState = GameState, Event extends GameEvent = GameEvent> {
  readonly before: State | undefined
  readonly after: State
  readonly event: Event
  /** Part of the state that the event corrected, see `GameStep`. */
  readonly repaired: string | undefined
}

export interface LiveGame<State extends GameState = GameState, Event extends GameEvent = GameEvent> {
  readonly rules: GameRules<State, Event>
  /** Decodes a record of FEED. Fails with the reason if the record is malformed. */
  decodeEvent(data: Uint8Array): Result.Result<Event, unknown>
  encodeEvent(event: Event): Uint8Array
  encoder(): LiveEncoder<State, Event>
  /**
   * Webhook events of a change, in the order in which customers receive them. Must be a pure function: an owner that
   * derives the events of a change again must get the same events. Called on the hot path.
   */
  webhookEvents?(change: MatchChange<State, Event>): ReadonlyArray<WebhookEvent>
  /** Result as it is stored in the match register. */
  resultOf(state: State): Schema.Json
  /**
   * What lists show and changes during the match, such as the score. A change gives a new list entry. Must be cheap.
   */
  listed(state: State): ReadonlyArray<unknown>
  /** Maps or sets that each side has won. */
  partsWon(state: State): readonly [number, number]
  /** Recreates the first event of a registered match that FEED has lost. Undefined if the row has too little data. */
  createdAgain(row: RegisteredMatch, matchId: MatchId, now: number): Event | undefined
}
