/**
 * Follows a room over a transport, connection after connection. The rules are in `follow/step.ts`; this file owns time, chance and
 * the order of things: one message after the other, and no more of them than the reader takes.
 */
import { type FullCursor, formatCursor, parseCursor } from "@matchpoint/contracts/stream/cursors"
import { type Cause, Clock, Effect, Queue, Random, Result, Stream } from "effect"
import {
  type FollowInput,
  type FollowItem,
  type FollowSettings,
  type FollowState,
  initial,
  type Known,
  type Next,
  roomOf,
} from "./follow/FollowState.ts"
import { readMessage } from "./follow/IncomingMessage.ts"
import { resumeCursor } from "./follow/resume.ts"
import { silenceLimitMs, step } from "./follow/step.ts"
import { LiveError } from "./LiveError.ts"
import type { Signal, Transport } from "./transport/Transport.ts"

/** Messages that wait for the reader before a WebSocket is closed, to be resumed later. */
const INBOX = 4_096
/** Items between this loop and the reader. */
const OUTBOX = 64

type Ending = Exclude<Next, { readonly _tag: "Leave" }>

/** The transport, and the one for plans that do not have it. */
export interface Transports {
  readonly first: Transport
  readonly fallback?: Transport | undefined
}

export const follow = (
  { fallback, first }: Transports,
  settings: Omit<FollowSettings, "canSend" | "canFallBack">,
  resume: { readonly cursor: FullCursor | undefined; readonly known: Iterable<Known> },
): Stream.Stream<FollowItem, LiveError> =>
  Stream.callback<FollowItem, LiveError>(
    Effect.fnUntraced(function* (items) {
      let transport = first
      const all = { ...settings, canSend: first.canSend, canFallBack: fallback !== undefined }
      let state = initial(all, resume.cursor, resume.known)
      while (true) {
        const [after, ending] = yield* Effect.scoped(runConnection(transport, state, items))
        state = after
        if (ending._tag === "End") return yield* Queue.end(items)
        if (ending._tag === "Fail") return yield* Queue.fail(items, ending.error)
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

/** One connection from its beginning to its end. */
const runConnection = Effect.fnUntraced(function* (
  transport: Transport,
  before: FollowState,
  items: Queue.Enqueue<FollowItem, LiveError | Cause.Done>,
) {
  let state = before
  const clock = yield* Clock.Clock
  const inbox = yield* Queue.make<Signal, Cause.Done>({ capacity: INBOX })
  const cursor = resumeCursor(state)
  let heardAt = clock.currentTimeMillisUnsafe()
  let silent = false
  const line = yield* transport.connect(inbox, cursor === undefined ? undefined : formatCursor(cursor))

  // The reader may be slow; what waits for it was heard all the same.
  yield* Effect.gen(function* () {
    const limit = silenceLimitMs(state)
    yield* Effect.sleep(Math.max(1, heardAt + limit - clock.currentTimeMillisUnsafe()))
    if (Queue.sizeUnsafe(inbox) > 0) heardAt = clock.currentTimeMillisUnsafe()
    if (clock.currentTimeMillisUnsafe() - heardAt < silenceLimitMs(state)) return
    silent = true
    yield* Queue.end(inbox)
  }).pipe(Effect.forever, Effect.forkScoped)

  while (true) {
    const signals = yield* Queue.takeAll(inbox).pipe(
      Effect.orElseSucceed((): ReadonlyArray<Signal> => [{ _tag: "Closed", reason: "messages came faster than they were read" }]),
    )
    const now = yield* Clock.currentTimeMillis
    heardAt = now
    const emit: Array<FollowItem> = []
    let ending: Ending | undefined
    for (const signal of signals) {
      const random = yield* Random.next
      const input = inputOf(signal, state, now, random, silent)
      if (input === undefined) continue
      if (input instanceof LiveError) {
        ending = { _tag: "Fail", error: input }
        break
      }
      const done = step(state, input)
      state = done.state
      emit.push(...done.emit)
      for (const message of done.send) line.send(JSON.stringify(message))
      if (done.next?._tag === "Leave") {
        const leave: Signal = { _tag: "Closed", reason: "the server is shutting down" }
        yield* Queue.offer(inbox, leave).pipe(Effect.delay(done.next.afterMs), Effect.forkScoped)
      } else if (done.next !== undefined) {
        ending = done.next
        break
      }
    }
    yield* Queue.offerAll(items, emit)
    if (ending !== undefined) return [state, ending] as const
  }
})

const inputOf = (signal: Signal, state: FollowState, now: number, random: number, silent: boolean): FollowInput | LiveError | undefined => {
  switch (signal._tag) {
    case "Opened":
      return signal
    case "Closed":
      return silent ? { _tag: "Silent", now, random } : { ...signal, now, random }
    case "Text": {
      const message = readMessage(signal.text)
      if (Result.isFailure(message)) return new LiveError({ reason: "Protocol", message: message.failure, room: roomOf(state.settings) })
      if (message.success === undefined) return undefined
      return { _tag: "Heard", message: message.success, cursor: signal.id === undefined ? undefined : parseCursor(signal.id), now }
    }
  }
}
