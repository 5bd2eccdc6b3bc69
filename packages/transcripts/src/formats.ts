import type { TranscriptFormat } from "@matchpoint/contracts/http/transcripts/transcriptModels"
import { cuesOf } from "./subtitles/cues.ts"
import { srtOf } from "./subtitles/srt.ts"
import { vttOf } from "./subtitles/vtt.ts"
import { wordsOf } from "./subtitles/words.ts"
import type { Segment, Transcript } from "./Transcript.ts"

export interface Rendered {
  /** The speech as one paragraph, or the subtitle file. */
  readonly text: string
  /** Only in the format `verbose`. */
  readonly segments?: ReadonlyArray<Segment>
}

export const render = (transcript: Transcript, format: TranscriptFormat): Rendered => {
  switch (format) {
    case "text":
      return { text: paragraphOf(transcript) }
    case "verbose":
      return { text: paragraphOf(transcript), segments: transcript.segments }
    case "srt":
      return { text: srtOf(cuesOf(transcript)) }
    case "vtt":
      return { text: vttOf(cuesOf(transcript)) }
  }
}

const paragraphOf = ({ segments }: Transcript): string => segments.flatMap(({ text }) => wordsOf(text)).join(" ")
