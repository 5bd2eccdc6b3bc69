/**
 * A recorded match of any game: what it says of itself, and its pieces in the order they came. Playing it yields facts. It does not read
 * files, wait, or send anything. Which files are recordings of a game is known to the game's `RecordingFormats`.
 */
import type { Fact } from "@matchpoint/contracts/http/feed/FactsApi"
import type { GameEvent } from "@matchpoint/domain/game/GameRules"
import type { GameName, MatchId } from "@matchpoint/domain/ids"
import { type Result, Schema } from "effect"
import type { FactProblem } from "../GameFeed.ts"

/** An event that can be sent as a fact. */
export interface RecordedEvent extends GameEvent {
  readonly payload: object
}

export interface RecordingStep {
  readonly at: number
  readonly events: ReadonlyArray<RecordedEvent>
  readonly problems: ReadonlyArray<FactProblem>
  /** The match after the step, in words for a terminal: one line. */
  line(): string
  /** The same at length. */
  table(): string
}

export interface Recording {
  readonly game: GameName
  /** For people: "CS2 server log". */
  readonly format: string
  /** For people: who plays whom. */
  readonly title: string
  /** As the game's feed takes it. */
  readonly registration: Schema.Json
  readonly startedAt: number
  readonly endedAt: number
  /** Pieces. */
  readonly length: number
  play(matchId: MatchId): Iterable<RecordingStep>
  /** The fact that ends a match that is not played to its end. */
  cancelled(at: number): Fact
}

/** Says what the file is not, and what would do. */
export class UnreadableRecording extends Schema.TaggedError<UnreadableRecording>()("UnreadableRecording", { message: Schema.String }) {}

/** The recordings of one game. */
export interface RecordingFormats<R extends Recording = Recording> {
  /** For people. */
  readonly formats: string
  /** Undefined: the content is of no kind that the game knows. Fails if it is of one and cannot be played. */
  read(content: Uint8Array): Result.Result<R, UnreadableRecording> | undefined
}
