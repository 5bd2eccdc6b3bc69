/** Words of a segment with estimated times. */
import type { Segment } from "@matchpoint/transcripts/Transcript"

export interface Word {
  /** As written, with the punctuation and space that follow. */
  readonly text: string
  /** For comparison: without case and marks. */
  readonly key: string
  /** Estimated middle in seconds: words are spread over the segment by their characters. */
  readonly at: number
}

/** Knows the words of languages that are written without spaces. */
const segmenter = new Intl.Segmenter("und", { granularity: "word" })

export const wordsOf = ({ end, start, text }: Segment): ReadonlyArray<Word> => {
  const words: Array<{ text: string; key: string; from: number }> = []
  for (const { index, isWordLike, segment } of segmenter.segment(text)) {
    const last = words.at(-1)
    if (isWordLike === true || last === undefined) {
      words.push({ text: segment, key: segment.normalize("NFKC").toLowerCase(), from: index })
    } else {
      last.text += segment
    }
  }
  return words.map(({ from, key, text: written }) => ({
    text: written,
    key,
    at: start + ((from + written.length / 2) / Math.max(1, text.length)) * (end - start),
  }))
}
