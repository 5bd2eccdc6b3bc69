/**
 * Cuts audio into windows for the speech engine: at most 30 seconds, cut in silence where there is any, without the
 * silent parts.
 */
import { WINDOW_SECONDS } from "../engine/SpeechEngine.ts"
import { FRAME_SECONDS, silenceThreshold } from "./levels.ts"

export interface AudioWindow {
  /** Seconds from the start of the audio. */
  readonly start: number
  readonly end: number
  /** Seconds shared with the window before. 0 if the cut is in silence. */
  readonly overlap: number
}

/** A part that is not silent. In frames; `end` is exclusive. */
interface Sound {
  readonly start: number
  readonly end: number
}

const frames = (seconds: number): number => Math.round(seconds / FRAME_SECONDS)

const WINDOW = frames(WINDOW_SECONDS)
/** Shorter silence belongs to the speech around it. */
const SHORTEST_SILENCE = frames(0.6)
/** A shorter sound is a click. */
const SHORTEST_SOUND = frames(0.1)
/** Silence kept before and after a sound, because speech starts and ends quietly. */
const PADDING = frames(0.25)
/** A window ends before a silence of this length. Engines invent text in long silence. */
const LONG_SILENCE = frames(5)
/** Shortest window that is cut in the middle of sound. */
const SHORTEST_CUT = frames(20)
/** Overlap of windows that are cut in the middle of sound. Longer than a spoken word. */
const OVERLAP = frames(2)
/** Length over which the quietest moment is searched. */
const QUIET = frames(0.2)

/** Windows in order. `levels` has the level of each frame in dB. No windows if everything is silent. */
export const planWindows = (levels: Float32Array): ReadonlyArray<AudioWindow> => {
  const windows: Array<AudioWindow> = []
  let current: Sound | undefined
  let overlap = 0
  const close = (end: number, nextOverlap: number) => {
    if (current === undefined) return
    windows.push({ start: current.start * FRAME_SECONDS, end: end * FRAME_SECONDS, overlap: overlap * FRAME_SECONDS })
    overlap = nextOverlap
  }
  for (const sound of soundsOf(levels)) {
    if (current !== undefined && (sound.start - current.end >= LONG_SILENCE || sound.end - current.start > WINDOW)) {
      close(current.end, 0)
      current = undefined
    }
    current = { start: current?.start ?? sound.start, end: sound.end }
    while (current.end - current.start > WINDOW) {
      const cut = quietest(levels, current.start + SHORTEST_CUT, current.start + WINDOW - OVERLAP / 2)
      close(cut + OVERLAP / 2, OVERLAP)
      current = { start: cut - OVERLAP / 2, end: current.end }
    }
  }
  if (current !== undefined) close(current.end, 0)
  return windows
}

/** Sounds with their padding, in order and apart from each other. */
const soundsOf = (levels: Float32Array): ReadonlyArray<Sound> => {
  const threshold = silenceThreshold(levels)
  const found: Array<Sound> = []
  let start: number | undefined
  let last = 0
  const add = () => {
    if (start === undefined || last + 1 - start < SHORTEST_SOUND) return
    found.push({ start: Math.max(0, start - PADDING), end: Math.min(levels.length, last + 1 + PADDING) })
  }
  for (const [frame, level] of levels.entries()) {
    if (level < threshold) continue
    if (start !== undefined && frame - last > SHORTEST_SILENCE) {
      add()
      start = undefined
    }
    start ??= frame
    last = frame
  }
  add()
  return found
}

/** Middle of the quietest part between two frames. */
const quietest = (levels: Float32Array, from: number, to: number): number => {
  let best = from
  let least = Number.POSITIVE_INFINITY
  for (let frame = from; frame + QUIET <= to; frame++) {
    const level = levels.subarray(frame, frame + QUIET).reduce((sum, item) => sum + item, 0)
    if (level >= least) continue
    least = level
    best = frame + QUIET / 2
  }
  return best
}
