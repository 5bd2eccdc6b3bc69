/**
 * A recorded match of any game: its description, and its pieces in the order of arrival. Playing it yields facts. It
 * does not read files, wait or send anything. `RecordingFormats` of the game recognizes the files.
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
  /** Describes the match after the step in one line for a terminal. */
  line(): string
  /** Describes the match after the step in a table for a terminal. */
  table(): string
}

export interface Recording {
  readonly game: GameName
  /** Format name for the user, such as "CS2 server log". */
  readonly format: string
  /** Title for the user, with both opponents. */
  readonly title: string
  /** Registration in the format of the game's feed. */
  readonly registration: Schema.Json
  readonly startedAt: number
  readonly endedAt: number
  /** Number of pieces. */
  readonly length: number
  play(matchId: MatchId): Iterable<RecordingStep>
  /** Returns the fact that ends an interrupted match. */
  cancelled(at: number): Fact
}

/** The file is not a usable recording. The message says why and what is supported. */
export class UnreadableRecording extends Schema.TaggedError<UnreadableRecording>()("UnreadableRecording", { message: Schema.String }) {}

/** Recording formats of one game. */
export interface RecordingFormats<R extends Recording = Recording> {
  /** List of the formats for the user. */
  readonly formats: string
  /**
   * Reads a recording. Returns undefined if the content has none of the game's formats. Fails if it has one but cannot
   * be played.
   */
  read(content: Uint8Array): Result.Result<R, UnreadableRecording> | undefined
}
