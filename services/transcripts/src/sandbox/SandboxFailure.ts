/** Why a program in the sandbox has no result. A program that ends by itself, with any exit code, is no failure. */
import { Schema } from "effect"

/** The program is not in the search path, or could not be started. */
export class ProgramMissing extends Schema.TaggedError<ProgramMissing>("@matchpoint/service-transcripts/ProgramMissing")("ProgramMissing", {
  program: Schema.String,
  detail: Schema.String,
}) {
  override get message(): string {
    return `${this.program} could not be started: ${this.detail}`
  }
}

export class ProgramTimeout extends Schema.TaggedError<ProgramTimeout>("@matchpoint/service-transcripts/ProgramTimeout")("ProgramTimeout", {
  program: Schema.String,
  timeoutMs: Schema.Finite,
}) {
  override get message(): string {
    return `${this.program} did not end within ${this.timeoutMs} ms`
  }
}

export class OutputTooLong extends Schema.TaggedError<OutputTooLong>("@matchpoint/service-transcripts/OutputTooLong")("OutputTooLong", {
  program: Schema.String,
  maxBytes: Schema.Finite,
}) {
  override get message(): string {
    return `${this.program} wrote more than ${this.maxBytes} bytes`
  }
}

export type SandboxFailure = ProgramMissing | ProgramTimeout | OutputTooLong
