/** The document inside a frame. */

import type { LiveUpdate } from "@matchpoint/contracts/stream/frames"
import type { LiveMatch } from "@matchpoint/contracts/stream/LiveMatch"
import type { Frame } from "./FrameRing.ts"

const text = new TextDecoder()

/** Parses without validating: the bytes were encoded by a match actor from typed data, and reads must stay cheap (30 us for 7 KB). */
export const documentOf = (frame: Frame): LiveMatch => {
  const update: LiveUpdate = JSON.parse(text.decode(frame.bytes))
  return update.data
}
