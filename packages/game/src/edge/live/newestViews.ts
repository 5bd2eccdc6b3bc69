/** Reads newest states in slices: one not read for a while takes about 100 us, and sockets are served in between. */
import type { FrameViews, GameViews } from "@matchpoint/realtime/FrameViews"
import type { MatchRoom } from "@matchpoint/realtime/MatchRoom"
import { Effect } from "effect"

/** Rooms that are read before the event loop gets a turn: about 2 ms. */
const ROOMS_PER_SLICE = 20

/** Each room has its state when it is read. Those of different rooms may be some frames apart. */
export const newestViews = Effect.fnUntraced(function* <Game extends GameViews>(rooms: ReadonlyArray<MatchRoom<Game>>) {
  const read: Array<FrameViews<Game>> = []
  for (const [index, { views }] of rooms.entries()) {
    if (views !== undefined) read.push(views)
    if ((index + 1) % ROOMS_PER_SLICE === 0) yield* Effect.yieldNow
  }
  return read
})
