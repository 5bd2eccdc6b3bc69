/** Lines between the gateway and the child process of `@fugood/whisper.node`. */
import { Schema } from "effect"

/** A line on standard input. */
export const WindowLine = Schema.fromJsonString(
  Schema.Struct({
    /** Repeated in the answer, to recognize an answer to a window that was given up. */
    id: Schema.Int,
    /** Base64: mono, 16,000 per second, 16-bit signed little-endian. */
    samples: Schema.String,
    language: Schema.NullOr(Schema.String),
  }),
)

/** A line on standard output, after `ANSWER`. */
export const AnswerLine = Schema.fromJsonString(
  Schema.Struct({
    id: Schema.Int,
    language: Schema.optionalKey(Schema.String),
    segments: Schema.Array(Schema.Struct({ text: Schema.String, t0: Schema.Finite, t1: Schema.Finite })),
  }),
)

/** The native code may print other lines. */
export const ANSWER = "answer:"
/** The child prints this line when the weights are loaded. */
export const READY = "ready"
