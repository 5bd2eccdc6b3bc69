/**
 * Joins what the engine recognized in each window. Words that two overlapping windows both contain appear once, and
 * times never go back.
 */
import type { Segment } from "@matchpoint/transcripts/Transcript"
import type { AudioWindow } from "./planWindows.ts"
import { type Word, wordsOf } from "./words.ts"

export interface RecognizedWindow {
  readonly window: AudioWindow
  /** Seconds from the start of the window. */
  readonly segments: ReadonlyArray<Segment>
}

/** Error of the estimated times of words inside a segment. */
const SLACK_SECONDS = 4

/** Seconds from the start of the audio, in order, not overlapping, rounded to 10 ms. */
export const joinWindows = (recognized: ReadonlyArray<RecognizedWindow>): ReadonlyArray<Segment> => {
  let joined: ReadonlyArray<Segment> = []
  for (const { segments, window } of recognized) {
    const next = segments.map(({ end, start, text }) => ({
      start: Math.min(window.start + start, window.end),
      end: Math.min(window.start + end, window.end),
      text,
    }))
    joined = window.overlap === 0 ? [...joined, ...next] : joinAtSeam(joined, next, window.start, window.start + window.overlap)
  }
  return inOrder(joined)
}

/** Joins two windows that share the time from `from` to `to`. */
const joinAtSeam = (before: ReadonlyArray<Segment>, after: ReadonlyArray<Segment>, from: number, to: number): ReadonlyArray<Segment> => {
  const tail = before.flatMap(wordsOf).filter(({ at }) => at >= from - SLACK_SECONDS)
  const head = after.flatMap(wordsOf).filter(({ at }) => at <= to + SLACK_SECONDS)
  const shared = sharedWords(tail, head, to)
  if (shared !== undefined) {
    return [...withoutLast(before, shared.droppedBefore), ...withoutFirst(after, shared.droppedAfter + shared.count)]
  }
  // The windows disagree. Each keeps its side of the middle, where it has heard the most context.
  const middle = (from + to) / 2
  const isLate = ({ at }: Word) => at > middle
  return [...withoutLast(before, tail.filter(isLate).length), ...withoutFirst(after, head.filter((word) => !isLate(word)).length)]
}

interface Shared {
  readonly count: number
  /** 1 if the last word before the seam is incomplete: the cut went through it. */
  readonly droppedBefore: number
  readonly droppedAfter: number
}

/**
 * How many of the last words before the seam are the first words after it. If several numbers fit, for example in "no
 * no no", the one that agrees best with the times is taken.
 */
const sharedWords = (tail: ReadonlyArray<Word>, head: ReadonlyArray<Word>, to: number): Shared | undefined => {
  const expected = head.filter(({ at }) => at < to).length
  if (expected === 0) return undefined
  let best: Shared | undefined
  let least = Number.POSITIVE_INFINITY
  for (const droppedBefore of [0, 1]) {
    for (const droppedAfter of [0, 1]) {
      const longest = Math.min(tail.length - droppedBefore, head.length - droppedAfter)
      for (let count = 1; count <= longest; count++) {
        // One equal word is no reason to drop another.
        if (count === 1 && droppedBefore + droppedAfter > 0) continue
        const cost = Math.abs(count + droppedAfter - expected) + (droppedBefore + droppedAfter) / 2 - count / 1_000
        if (cost >= least || !isEqual(tail, head, { count, droppedBefore, droppedAfter })) continue
        least = cost
        best = { count, droppedBefore, droppedAfter }
      }
    }
  }
  return best
}

const isEqual = (tail: ReadonlyArray<Word>, head: ReadonlyArray<Word>, { count, droppedAfter, droppedBefore }: Shared): boolean => {
  const start = tail.length - droppedBefore - count
  for (let index = 0; index < count; index++) {
    if (tail[start + index]?.key !== head[droppedAfter + index]?.key) return false
  }
  return true
}

const withoutFirst = (segments: ReadonlyArray<Segment>, count: number): ReadonlyArray<Segment> => {
  let left = count
  return segments.flatMap((segment) => {
    const words = wordsOf(segment)
    const dropped = Math.min(left, words.length)
    left -= dropped
    return partOf(segment, words, dropped, words.length)
  })
}

const withoutLast = (segments: ReadonlyArray<Segment>, count: number): ReadonlyArray<Segment> => {
  let left = count
  return segments
    .toReversed()
    .flatMap((segment) => {
      const words = wordsOf(segment)
      const dropped = Math.min(left, words.length)
      left -= dropped
      return partOf(segment, words, 0, words.length - dropped)
    })
    .toReversed()
}

/** The words from `first` to before `end`, with the times reduced accordingly. */
const partOf = (segment: Segment, words: ReadonlyArray<Word>, first: number, end: number): ReadonlyArray<Segment> => {
  if (first === 0 && end === words.length) return [segment]
  const text = words
    .slice(first, end)
    .map((word) => word.text)
    .join("")
    .trim()
  if (text === "") return []
  const [before, after] = [words[first - 1], words[end]]
  return [{ start: before?.at ?? segment.start, end: after?.at ?? segment.end, text }]
}

const round = (seconds: number): number => Math.round(seconds * 100) / 100

const inOrder = (segments: ReadonlyArray<Segment>): ReadonlyArray<Segment> => {
  let last = 0
  return segments.map(({ end, start, text }) => {
    const from = Math.max(last, round(start))
    last = Math.max(from, round(end))
    return { start: from, end: last, text }
  })
}
