/**
 * Readable subtitles: at most two lines of 42 characters, 1 to 7 seconds, and at most 17 characters per second where
 * the pause after the speech allows it. They are in order and never overlap, so faster speech stays as fast as it is.
 */
import type { Segment, Transcript } from "../Transcript.ts"
import { linesOf } from "./lines.ts"
import { splitTokens } from "./splitTokens.ts"
import { lengthOf, type Token, tokensOf } from "./words.ts"

export const MIN_MS = 1_000
export const MAX_MS = 7_000
const CHARACTERS_PER_SECOND = 17
/** Short segments are joined with the next one across a shorter pause. */
const JOIN_GAP_SECONDS = 0.5

/** Milliseconds from the start of the video. */
export interface Cue {
  readonly startMs: number
  readonly endMs: number
  readonly lines: ReadonlyArray<string>
}

interface Timed {
  readonly startMs: number
  readonly endMs: number
  readonly tokens: ReadonlyArray<Token>
}

export const cuesOf = ({ language, segments }: Transcript): ReadonlyArray<Cue> => {
  const parts = joined(segments).flatMap((segment) => timedParts(segment, tokensOf(segment.text, language)))
  const cues: Array<Cue> = []
  let earliest = 0
  for (const [index, { endMs, startMs, tokens }] of parts.entries()) {
    const lines = linesOf(tokens)
    if (lines === undefined) continue
    const start = Math.max(startMs, earliest)
    const next = parts[index + 1]?.startMs ?? Number.POSITIVE_INFINITY
    const readable = Math.max(MIN_MS, Math.ceil((lengthOf(tokens) * 1_000) / CHARACTERS_PER_SECOND))
    const end = Math.max(start + 1, Math.min(next, start + MAX_MS, Math.max(endMs, start + readable)))
    cues.push({ startMs: start, endMs: end, lines })
    earliest = end
  }
  return cues
}

/** Joins a segment that is too short to read, or a single word, with the next one or with an unfinished sentence. */
const joined = (segments: ReadonlyArray<Segment>): ReadonlyArray<Segment> => {
  const result: Array<Segment> = []
  for (const segment of segments) {
    const last = result.at(-1)
    if (last === undefined || !shouldJoin(last, segment)) result.push(segment)
    else result.splice(-1, 1, { start: last.start, end: Math.max(last.end, segment.end), text: `${last.text} ${segment.text}` })
  }
  return result
}

const shouldJoin = (last: Segment, next: Segment): boolean => {
  const isEnd = /[.!?…。！？]["'”’)»]?\s*$/u.test(last.text)
  return (
    (isShort(last) || (isShort(next) && !isEnd)) && next.start - last.end < JOIN_GAP_SECONDS && (next.end - last.start) * 1_000 <= MAX_MS
  )
}

const isShort = ({ end, start, text }: Segment): boolean => (end - start) * 1_000 < MIN_MS || !text.trim().includes(" ")

/** The time is divided in proportion to the characters. */
const timedParts = ({ end, start }: Segment, tokens: ReadonlyArray<Token>): ReadonlyArray<Timed> => {
  const [startMs, endMs] = [Math.max(0, Math.round(start * 1_000)), Math.max(0, Math.round(end * 1_000))]
  const parts = splitTokens(tokens, Math.ceil((endMs - startMs) / MAX_MS))
  const lengths = parts.map(lengthOf)
  const total = lengths.reduce((sum, length) => sum + length, 0)
  let before = 0
  return parts.map((part, index) => {
    const from = before
    before += lengths[index] ?? 0
    const at = (characters: number) => startMs + Math.round(((endMs - startMs) * characters) / total)
    return { startMs: at(from), endMs: at(before), tokens: part }
  })
}
