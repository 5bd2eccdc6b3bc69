/** Lines between the gateway and the child process that runs `@fugood/whisper.node`. */
import { Schema } from "effect"

/** One line of standard input. */
export const WindowLine = Schema.fromJsonString(
  Schema.Struct({
    /** Repeated in the answer. An answer to a window that was given up is recognized by it. */
    id: Schema.Int,
    /** Samples as base64: mono, 16,000 per second, 16-bit signed little-endian. */
    samples: Schema.String,
    language: Schema.NullOr(Schema.String),
  }),
)

/** One line of standard output, after `ANSWER`. */
export const AnswerLine = Schema.fromJsonString(
  Schema.Struct({
    id: Schema.Int,
    language: Schema.optionalKey(Schema.String),
    segments: Schema.Array(Schema.Struct({ text: Schema.String, t0: Schema.Finite, t1: Schema.Finite })),
  }),
)

/** Start of the lines that are answers. The native code may print others. */
export const ANSWER = "answer:"
/** Line that the child prints when the weights are loaded. */
export const READY = "ready"
