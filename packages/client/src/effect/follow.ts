/**
 * Follows a room (one match or all matches) over a transport and reconnects as needed. `../follow/step.ts` contains the
 * protocol as a pure function; this file adds time, randomness and ordering. It applies messages one at a time, and no
 * faster than the reader takes the resulting changes.
 */
import { formatCursor } from "@matchpoint/contracts/stream/cursorText"
import { monotonicOf } from "@matchpoint/domain/monotonic"
import { type Cause, Clock, Effect, Queue, Random, Stream } from "effect"
import type { RoomSettings, StartingPoint } from "../follow/channel.ts"
import { type FollowItem, type FollowState, initial, type Next } from "../follow/FollowState.ts"
import { resumeCursor } from "../follow/resume.ts"
import { drained, INBOX_CAPACITY, inputOf, overflow, type Signal } from "../follow/Signal.ts"
import { silenceLimitMs, step } from "../follow/step.ts"
import { LiveError } from "./LiveError.ts"
import type { Transport } from "./Transport.ts"

/** Maximum number of changes and notices that wait for the reader. */
const OUTBOX = 64

type Ending = Exclude<Next, { readonly _tag: "Leave" }>

/**
 * The transports of a stream. `first` is tried first, and `fallback` is used if the plan of the API key does not
 * include `first`.
 */
export interface Transports {
  readonly first: Transport
  readonly fallback?: Transport | undefined
}

export const follow = (
  { fallback, first }: Transports,
  settings: RoomSettings,
  start: StartingPoint,
): Stream.Stream<FollowItem, LiveError> =>
  Stream.callback<FollowItem, LiveError>(
    Effect.fnUntraced(function* (items) {
      let transport = first
      const all = { ...settings, canSend: first.canSend, canFallBack: fallback !== undefined }
      let state = initial(all, start.cursor, start.known)
      while (true) {
        const [after, ending] = yield* Effect.scoped(runConnection(transport, state, items))
        state = after
        if (ending._tag === "End") return yield* Queue.end(items)
        if (ending._tag === "Fail") return yield* Queue.fail(items, new LiveError(ending.failure))
        if (ending._tag === "FallBack") {
          transport = fallback ?? first
          state = { ...state, settings: { ...state.settings, canSend: transport.canSend } }
          continue
        }
        yield* Effect.sleep(ending.afterMs)
      }
    }),
    { bufferSize: OUTBOX, strategy: "suspend" },
  )

/** Runs one connection until it ends. */
const runConnection = Effect.fnUntraced(function* (
  transport: Transport,
  before: FollowState,
  items: Queue.Enqueue<FollowItem, LiveError | Cause.Done>,
) {
  let state = before
  const monotonic = monotonicOf(yield* Clock.Clock)
  const inbox = yield* Queue.make<Signal, Cause.Done>({ capacity: INBOX_CAPACITY })
  const cursor = resumeCursor(state)
  let lastMessageAt = monotonic()
  let silent = false
  const line = yield* transport.connect(inbox, cursor === undefined ? undefined : formatCursor(cursor))

  // Ends the connection if the server has been silent for too long. If messages wait in the inbox for a slow reader,
  // the connection does not count as silent.
  yield* Effect.gen(function* () {
    const limit = silenceLimitMs(state)
    yield* Effect.sleep(Math.max(1, lastMessageAt + limit - monotonic()))
    if (Queue.sizeUnsafe(inbox) > 0) lastMessageAt = monotonic()
    if (monotonic() - lastMessageAt < silenceLimitMs(state)) return
    silent = true
    yield* Queue.end(inbox)
  }).pipe(Effect.forever, Effect.forkScoped)

  while (true) {
    const signals = yield* Queue.takeAll(inbox).pipe(Effect.orElseSucceed((): ReadonlyArray<Signal> => [overflow]))
    const now = yield* Clock.currentTimeMillis
    lastMessageAt = monotonic()
    const emit: Array<FollowItem> = []
    let ending: Ending | undefined
    for (const signal of signals) {
      const input = inputOf(signal, state, { now, random: yield* Random.next, silent })
      if (input === undefined) continue
      if ("failure" in input) {
        ending = { _tag: "Fail", failure: input.failure }
        break
      }
      const done = step(state, input)
      state = done.state
      for (const item of done.emit) emit.push(item)
      for (const message of done.send) line.send(JSON.stringify(message))
      if (done.next?._tag === "Leave") {
        yield* Queue.offer(inbox, drained).pipe(Effect.delay(done.next.afterMs), Effect.forkScoped)
      } else if (done.next !== undefined) {
        ending = done.next
        break
      }
    }
    yield* Queue.offerAll(items, emit)
    if (ending !== undefined) return [state, ending] as const
  }
})
