/**
 * Follows a room over a transport and reconnects as needed. `../follow/step.ts` has the protocol as a pure function;
 * this file adds time, randomness and ordering. Applies messages no faster than the reader takes the changes.
 */
import { formatCursor } from "@matchpoint/contracts/stream/cursorText"
import type { RoomSettings, StartingPoint } from "../follow/channel.ts"
import { type FollowItem, type FollowState, initial, type Next } from "../follow/FollowState.ts"
import { resumeCursor } from "../follow/resume.ts"
import { drained, inputOf } from "../follow/Signal.ts"
import { silenceLimitMs, step } from "../follow/step.ts"
import { Inbox } from "./Inbox.ts"
import { LiveError } from "./LiveError.ts"
import { pause } from "./pause.ts"
import type { Timing } from "./Timing.ts"
import type { Transport } from "./Transport.ts"

type Ending = Exclude<Next, { readonly _tag: "Leave" }>

/** `fallback` is used if the plan of the API key does not include `first`. */
export interface Transports {
  readonly first: Transport
  readonly fallback?: Transport | undefined
}

/** Ends when the match ends or `stop` aborts. Throws a `LiveError` if a retry cannot help. */
export async function* follow(
  { fallback, first }: Transports,
  settings: RoomSettings,
  start: StartingPoint,
  timing: Timing,
  stop: AbortSignal,
): AsyncGenerator<FollowItem, void, undefined> {
  let transport = first
  let state = initial({ ...settings, canSend: first.canSend, canFallBack: fallback !== undefined }, start.cursor, start.known)
  while (!stop.aborted) {
    const [after, ending] = yield* runConnection(transport, state, timing, stop)
    state = after
    switch (ending._tag) {
      case "End":
        return
      case "Fail":
        throw new LiveError(ending.failure)
      case "FallBack":
        transport = fallback ?? first
        state = { ...state, settings: { ...state.settings, canSend: transport.canSend } }
        break
      case "Reconnect":
        await pause(timing, ending.afterMs, stop, ending.atLeastMs)
    }
  }
}

/** Closes the connection in every case. */
async function* runConnection(
  transport: Transport,
  before: FollowState,
  timing: Timing,
  stop: AbortSignal,
): AsyncGenerator<FollowItem, readonly [FollowState, Ending], undefined> {
  let state = before
  const inbox = new Inbox()
  const end = () => inbox.end()
  stop.addEventListener("abort", end)
  const cursor = resumeCursor(state)
  let silentMs = timing.startStopwatch()
  let silent = false
  let cancelLeaving = () => {}
  let cancelWatching = () => {}
  const watch = () => {
    // While messages wait for a slow reader, the connection does not count as silent.
    if (!inbox.isEmpty) silentMs = timing.startStopwatch()
    const left = silenceLimitMs(state) - silentMs()
    if (left > 0) {
      cancelWatching = timing.after(left, watch)
      return
    }
    silent = true
    inbox.end()
  }
  watch()
  const line = transport.connect(inbox, cursor === undefined ? undefined : formatCursor(cursor))
  try {
    for (;;) {
      const signals = await inbox.take()
      if (stop.aborted) return [state, { _tag: "End" }]
      const now = timing.epochMs()
      silentMs = timing.startStopwatch()
      for (const signal of signals) {
        const input = inputOf(signal, state, { now, random: timing.random(), silent })
        if (input === undefined) continue
        if ("failure" in input) return [state, { _tag: "Fail", failure: input.failure }]
        const done = step(state, input)
        state = done.state
        for (const message of done.send) line.send(JSON.stringify(message))
        yield* done.emit
        if (done.next?._tag === "Leave") cancelLeaving = timing.after(done.next.afterMs, () => inbox.offer(drained))
        else if (done.next !== undefined) return [state, done.next]
      }
    }
  } finally {
    cancelWatching()
    cancelLeaving()
    stop.removeEventListener("abort", end)
    inbox.end()
    line.close()
  }
}
