/**
 * Replays the stored frames of one match to one client as if it were happening now. The client chooses the speed, the
 * start and the test faults; its plan limits the frames. Decides what is sent and when; the sink sends it, and
 * `Replays` limits the number of replays.
 */
import type { LogError } from "@matchpoint/bus/EventLog"
import { closeCodes } from "@matchpoint/contracts/stream/closeCodes"
import type { Cursor } from "@matchpoint/contracts/stream/cursors"
import type { Shape } from "@matchpoint/contracts/stream/frames"
import { type ControlMessage, PING_INTERVAL_SECONDS, type ReplayOptions } from "@matchpoint/contracts/stream/messages"
import { replayRoom } from "@matchpoint/contracts/stream/rooms"
import { HEARTBEAT, timesOfDelta } from "@matchpoint/contracts/stream/wire"
import type { MatchId } from "@matchpoint/domain/ids"
import { monotonicOf } from "@matchpoint/domain/monotonic"
import { type Frame, isAfter } from "@matchpoint/realtime/Frame"
import type { FrameViews } from "@matchpoint/realtime/FrameViews"
import { Clock, DateTime, Effect } from "effect"
import { Faults } from "./faults.ts"
import { findStart } from "./findStart.ts"
import { Pace } from "./Pace.ts"
import type { ReplaySink } from "./ReplaySink.ts"
import { type FrameSource, StoredFrames, type Watermark } from "./StoredFrames.ts"

export interface ReplayRequest {
  readonly matchId: MatchId
  readonly options: ReplayOptions
  readonly shape: Shape
  /** Last frame that the client already has. If set, `fromMap` and `fromRound` are ignored. */
  readonly resume: Cursor | undefined
  /** The replay starts with a snapshot and does not report whether the cursor could be resumed. */
  readonly isResync?: boolean
  /** Newest frame that the caller's plan may see. */
  readonly watermark: Watermark
  /** A client that reads nothing for this long is disconnected. */
  readonly slowestSeconds: number
}

/** `cut`: the replay ended the connection through the sink, because of a test fault or a client that is too slow. */
export type ReplayOutcome = "ended" | "cut" | "not_found"

/** Frames sent to a fast client before the event loop gets a turn. */
const FRAMES_PER_TURN = 32
/**
 * Interval at which a replay that waits for a slow client looks again. The socket's drain event can be missed, e.g. if
 * an automatic ping empties its buffer.
 */
const LOOK_AGAIN_MS = 1_000

export const replay = Effect.fnUntraced(function* (
  source: FrameSource,
  request: ReplayRequest,
  sink: ReplaySink,
): Effect.fn.Return<ReplayOutcome, LogError> {
  const { matchId, options, shape } = request
  const { outlet } = sink
  const room = replayRoom(matchId)
  const frames = new StoredFrames(source, matchId, request.watermark)
  const found = yield* findStart(frames, matchId, options, request.resume)
  if (found === undefined) return "not_found"
  const start = request.isResync === true ? { ...found, after: undefined, withSnapshot: true, answer: undefined } : found

  const clock = yield* Clock.Clock
  const monotonic = monotonicOf(clock)
  const pace = new Pace(options.speed ?? 1, monotonic())
  const faults = new Faults(matchId, options)
  let passed = start.after
  let sent = 0
  let last: { readonly frame: Frame; readonly sentAt: number } | undefined

  const sendControl = (message: ControlMessage) => whenReady(sink, request.slowestSeconds, () => outlet.sendControl(message))

  /** Returns `cut` if the replay must end. */
  const play = Effect.fnUntraced(function* (frame: Frame) {
    if (passed !== undefined && !isAfter(frame, passed)) return "skipped"
    const waitMs = options.speed === 0 ? 0 : pace.waitFor(receivedAt(frame), monotonic())
    if (waitMs >= 1) yield* Effect.sleep(waitMs)
    const isNext = passed !== undefined && frame.epoch === passed.epoch && frame.seq === passed.seq + 1
    const continues = isNext && frame.kind !== "kept"
    if (passed !== undefined && !isNext && frame.epoch === passed.epoch) {
      const missing = [{ matchId, epoch: frame.epoch, from: passed.seq + 1, to: frame.seq - 1 }]
      if (!(yield* sendControl({ type: "gap", reason: "log", missing }))) return "cut"
    }
    const standsAlone = sent === 0 && passed === undefined && !start.withSnapshot && (shape === "v1" || frame.seq === 1)
    const isSnapshot = !continues && !standsAlone && (shape === "v2" || outlet.knowsSnapshots)
    const kind = isSnapshot ? "snapshot" : shape === "v1" ? "update" : "delta"
    const bytes = kind === "delta" ? frame.record.delta : bytesOf(frames.viewsOf(frame), kind, shape)
    const { drop, duplicate, stallMs } = faults.after(frame)
    const send = (): void => {
      outlet.frame(kind, frame, bytes, true)
      sink.frameSent(frame)
    }
    for (let copy = duplicate ? 2 : 1; copy > 0; copy--) {
      if (!(yield* whenReady(sink, request.slowestSeconds, send))) return "cut"
    }
    passed = frame
    last = { frame, sentAt: monotonic() }
    sent += 1
    if (drop) {
      outlet.end(closeCodes.replayFault)
      return "cut"
    }
    pace.stall(stallMs)
    if (sent % FRAMES_PER_TURN === 0) yield* Effect.yieldNow
    return "sent"
  })

  const playAll = Effect.gen(function* () {
    sink.begin()
    if (start.answer !== undefined && !(yield* sendControl({ type: "resumed", room, ...start.answer }))) return "cut"
    for (let stored = start.first; stored.length > 0; stored = yield* frames.next) {
      for (const frame of stored) if ((yield* play(frame)) === "cut") return "cut"
    }
    return (yield* sendControl({ type: "replay_ended", room, frames: sent })) ? "ended" : "cut"
  })

  const heartbeats = Effect.sync(() => {
    if (last === undefined || !outlet.hasRoom()) return
    const { frame, sentAt } = last
    outlet.sendControl({
      type: HEARTBEAT,
      at: DateTime.formatIso(DateTime.makeUnsafe(clock.currentTimeMillisUnsafe())),
      position: frame.position,
      matches: [{ matchId, epoch: frame.epoch, seq: frame.seq, age_ms: Math.round(monotonic() - sentAt) }],
    })
  }).pipe(Effect.delay(`${PING_INTERVAL_SECONDS} seconds`), Effect.forever)

  return yield* Effect.raceFirst(playAll, heartbeats)
})

const bytesOf = (views: FrameViews, kind: "update" | "snapshot", shape: Shape): Uint8Array =>
  kind === "update" ? views.update : views.snapshot(shape)

/** When the feed's event was received, in epoch milliseconds. */
const receivedAt = ({ record }: Frame): number => timesOfDelta(record.delta)?.receivedAt ?? Number.NaN

/**
 * Calls `send` once the client can receive more. Returns false if it read nothing for too long and was disconnected.
 */
const whenReady = Effect.fnUntraced(function* (sink: ReplaySink, slowestSeconds: number, send: () => void) {
  const now = monotonicOf(yield* Clock.Clock)
  for (let waitedMs = 0; !sink.outlet.hasRoom(); ) {
    if (waitedMs >= slowestSeconds * 1_000) {
      sink.outlet.endSlow()
      return false
    }
    const before = now()
    yield* Effect.timeoutOption(sink.drained(), LOOK_AGAIN_MS)
    waitedMs += now() - before
  }
  send()
  return true
})
