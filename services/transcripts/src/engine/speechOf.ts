/** Converts the output of an engine to the form of the port. */
import type { Segment } from "@matchpoint/transcripts/Transcript"
import type { Speech } from "./SpeechEngine.ts"

/** Codes that are not ISO 639-1: Whisper's code of Javanese is obsolete, and Cantonese is a kind of Chinese. */
const corrected: Readonly<Record<string, string>> = { jw: "jv", yue: "zh" }

/** Notes such as `[BLANK_AUDIO]`, `(music)` and `♪` are not speech. */
const NOTE = /\[[^\]]*\]|\([^)]*\)|[♪♫]/g

export const speechOf = (language: string | undefined, segments: ReadonlyArray<Segment>): Speech => ({
  language: corrected[language ?? ""] ?? language ?? "en",
  segments: segments.flatMap(({ end, start, text }) => {
    const spoken = text.replace(NOTE, " ").replace(/\s+/g, " ").trim()
    return spoken === "" ? [] : [{ start: Math.max(0, start), end: Math.max(0, start, end), text: spoken }]
  }),
})
