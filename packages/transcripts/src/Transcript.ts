/** A transcript as the speech engine returns it and the store keeps it. */
import { Schema } from "effect"

/** Seconds from the start of the video. */
export const Segment = Schema.Struct({ start: Schema.Finite, end: Schema.Finite, text: Schema.String })
export type Segment = typeof Segment.Type

/** `language` is an ISO 639-1 code. Segments are in order and do not overlap. */
export const Transcript = Schema.Struct({
  language: Schema.String,
  durationSeconds: Schema.Finite,
  segments: Schema.Array(Segment),
})
export type Transcript = typeof Transcript.Type

export const Platform = Schema.Literals(["tiktok", "twitter"])
export type Platform = typeof Platform.Type
