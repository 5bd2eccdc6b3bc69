/**
 * What a game must bring so that its matches are run here. Each game has one value of this type in its own folder; the actor and the
 * supervisor know no game. Members are methods, so that a game's own types are assignable to the generic ones.
 */
import type { GameEvent, GameRules, GameState } from "@matchpoint/domain/game/GameRules"
import type { MatchId } from "@matchpoint/domain/ids"
import type { RegisteredMatch } from "@matchpoint/store/live/Matches"
import type { Result, Schema } from "effect"

/** Makes the records of one match. It may keep what it made before: its records say what those of any other encoder would. */
export interface LiveEncoder<State extends GameState = GameState, Event extends GameEvent = GameEvent> {
  /** The record of LIVE for the change from `before` to `after` by `event`. */
  encode(before: State | undefined, after: State, event: Event): Uint8Array
  /** The newest record of the state, a change, as a keyframe. */
  keyframeOf(state: State, record: Uint8Array): Uint8Array
  /** A record of kind `kept`: for a log that has none of the state. */
  kept(state: State): Uint8Array
}

export interface LiveGame<State extends GameState = GameState, Event extends GameEvent = GameEvent> {
  readonly rules: GameRules<State, Event>
  /** A record of FEED. Fails with what is wrong with it. */
  decodeEvent(data: Uint8Array): Result.Result<Event, unknown>
  encodeEvent(event: Event): Uint8Array
  /** A new encoder for one match. */
  encoder(): LiveEncoder<State, Event>
  /** Result of a match that is over, for the register. */
  resultOf(state: State): Schema.Json
  /** Parts (maps, sets) that each side has won, for the register. */
  partsWon(state: State): readonly [number, number]
  /** The first event of a registered match, for one whose FEED has lost it. Undefined: the row does not say enough. */
  createdAgain(row: RegisteredMatch, matchId: MatchId, now: number): Event | undefined
}
