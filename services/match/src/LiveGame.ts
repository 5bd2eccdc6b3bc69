/**
 * What a game must provide so that the match service can run its matches. Each game has one value of this type in its
 * own folder; the actor and the supervisor know no specific game. Members are methods, so that a game's own types are
 * assignable to the generic ones.
 */
import type { GameEvent, GameRules, GameState } from "@matchpoint/domain/game/GameRules"
import type { MatchId } from "@matchpoint/domain/ids"
import type { RegisteredMatch } from "@matchpoint/store/live/Matches"
import type { Result, Schema } from "effect"

/**
 * Encodes the records of one match. An encoder may cache earlier results. The caching must not change the content of
 * its records: any other encoder would produce the same content.
 */
export interface LiveEncoder<State extends GameState = GameState, Event extends GameEvent = GameEvent> {
  /** Returns the LIVE record of the change from `before` to `after` by `event`. */
  encode(before: State | undefined, after: State, event: Event): Uint8Array
  /** Returns the newest record of the state, which is a change, as a keyframe. */
  keyframeOf(state: State, record: Uint8Array): Uint8Array
  /** Returns a record of kind `kept`, for a log that has no record of the state. */
  kept(state: State): Uint8Array
}

export interface LiveGame<State extends GameState = GameState, Event extends GameEvent = GameEvent> {
  readonly rules: GameRules<State, Event>
  /** Decodes a record of FEED. Fails with the reason if the record is malformed. */
  decodeEvent(data: Uint8Array): Result.Result<Event, unknown>
  encodeEvent(event: Event): Uint8Array
  /** Creates an encoder for one match. */
  encoder(): LiveEncoder<State, Event>
  /** Returns the result of a finished match, for the match register. */
  resultOf(state: State): Schema.Json
  /** Returns the parts (maps, sets) that each side has won, for the match register. */
  partsWon(state: State): readonly [number, number]
  /**
   * Returns the first event of a registered match again, in case FEED has lost it. Returns undefined if the register's
   * row does not contain enough.
   */
  createdAgain(row: RegisteredMatch, matchId: MatchId, now: number): Event | undefined
}
