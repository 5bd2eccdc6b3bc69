/**
 * A recorded match of any game: its description, and its feed in chunks in order of arrival. No files or waits here.
 */
import type { Fact } from "@matchpoint/contracts/http/feed/FactsApi"
import type { GameEvent } from "@matchpoint/domain/game/GameRules"
import type { GameName, MatchId } from "@matchpoint/domain/ids"
import { type Result, Schema } from "effect"
import type { FactProblem } from "../GameFeed.ts"

/** Event in a form that can be sent to the server. */
export interface RecordedEvent extends GameEvent {
  readonly payload: object
}

export interface RecordingStep {
  readonly at: number
  readonly events: ReadonlyArray<RecordedEvent>
  readonly problems: ReadonlyArray<FactProblem>
  /** Describes the match after this chunk in one line for a terminal. */
  line(): string
  /** Describes the match after this chunk in a table for a terminal. */
  table(): string
}

export interface Recording {
  readonly game: GameName
  /** Such as "CS2 server log". */
  readonly format: string
  /** Title for the user, with the names of both opponents. */
  readonly title: string
  /** Request that registers the match, in the format of the game's feed. */
  readonly registration: Schema.Json
  readonly startedAt: number
  readonly endedAt: number
  readonly length: number
  play(matchId: MatchId): Iterable<RecordingStep>
  /** The fact that cancels the match if its replay is interrupted. */
  cancelled(at: number): Fact
}

/** The message contains the reason and the supported formats. */
export class UnreadableRecording extends Schema.TaggedError<UnreadableRecording>()("UnreadableRecording", { message: Schema.String }) {}

/** Reader for the recording formats of one game. */
export interface RecordingFormats<R extends Recording = Recording> {
  /** Names of the formats, for the user. */
  readonly formats: string
  /** Undefined for other formats. Fails if it cannot be replayed. `number`, from 1, chooses among several matches. */
  read(content: Uint8Array, number: number): Result.Result<R, UnreadableRecording> | undefined
}
