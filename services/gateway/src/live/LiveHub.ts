/**
 * Owns the live data of this process in two tiers: the real-time tier reads the LIVE stream (published match records)
 * without delay, and the delayed tier reads it a minute later. There is one hub per process. It owns the tiers and
 * their timers, but not the sockets.
 */
import { EventLog, type LogError, type LogRecord } from "@matchpoint/bus/EventLog"
import { resettingRetry } from "@matchpoint/bus/resettingRetry"
import { reportSpan } from "@matchpoint/bus/traceparent"
import { allLive, LIVE, matchOfSubject } from "@matchpoint/contracts/bus/subjects"
import { conflationSteps, PING_INTERVAL_SECONDS } from "@matchpoint/contracts/stream/messages"
import { timesOfDelta } from "@matchpoint/contracts/stream/wire"
import { gameOfMatch } from "@matchpoint/domain/ids"
import { monotonicOf } from "@matchpoint/domain/monotonic"
import { type Plan, planTerms } from "@matchpoint/domain/plans"
import { repeatedly } from "@matchpoint/process/supervision/repeatedly"
import { Edge } from "@matchpoint/realtime/Edge"
import { type Frame, frameOfRecord } from "@matchpoint/realtime/Frame"
import { UnreadableFrame } from "@matchpoint/realtime/FrameViews"
import { flushWindowMs, smoothed } from "@matchpoint/realtime/flushWindow"
import { LiveRooms } from "@matchpoint/realtime/LiveRooms"
import { OlderViews } from "@matchpoint/realtime/OlderViews"
import { UwsServer } from "@matchpoint/uws/UwsServer"
import { Array as Arr, Clock, Context, Effect, Latch, Layer, Metric, Schedule, Stream, Tracer } from "effect"
import { GatewayConfig } from "../GatewayConfig.ts"
import { LoopLoad } from "../LoopLoad.ts"
import { DelayedReading } from "./DelayedReading.ts"
import { LiveGames } from "./LiveGames.ts"
import { LogClock } from "./LogClock.ts"

export const framesReceived = Metric.counter("matchpoint_gateway_frames_total", {
  description: "Frames read from LIVE",
  incremental: true,
})
export const recordsUnreadable = Metric.counter("matchpoint_gateway_unreadable_records_total", {
  description: "Records of LIVE in a format that this gateway cannot decode",
  incremental: true,
})
export const roomsOpen = Metric.gauge("matchpoint_gateway_rooms", { description: "Matches held in memory by the gateway" })
export const flushWindow = Metric.gauge("matchpoint_gateway_flush_window_seconds", {
  description: "Time for which frames are collected before they are sent together",
})
/** Upper bounds of the buckets of the latency histograms, in seconds. */
const boundaries = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5, 30]
export const feedLatency = Metric.histogram("matchpoint_gateway_feed_latency_seconds", {
  description: "Time from a fact, by its feed's clock, to receiving it",
  boundaries,
})
export const foldLatency = Metric.histogram("matchpoint_gateway_fold_latency_seconds", {
  description: "Time from receiving a fact to storing its frame in the log",
  boundaries,
})
export const publishLatency = Metric.histogram("matchpoint_gateway_publish_latency_seconds", {
  description: "Time from storing a frame in the log to sending it to real-time clients",
  boundaries,
})

const SWEEP_EVERY = "30 seconds"
const READ_LOAD_EVERY_MS = 50
const ASK_LOG_TIME_EVERY = "10 seconds"
const LOG_EVERY_MS = 10_000

export class LiveHub extends Context.Service<
  LiveHub,
  {
    readonly realtime: Edge
    readonly delayed: Edge
    /** Returns the tier of a plan: real time or delayed. */
    readonly edgeFor: (plan: Plan) => Edge
    /** Returns the sequence number of the newest record of the LIVE stream that the real-time tier has processed. */
    readonly passed: () => number
  }
>()("@matchpoint/service-gateway/live/LiveHub") {
  /**
   * The layer becomes ready only after the hub has read the LIVE stream to its end, so that no request sees an
   * incomplete match.
   */
  static readonly layer = Layer.effect(
    LiveHub,
    Effect.gen(function* () {
      const log = yield* EventLog
      const server = yield* UwsServer
      const clock = yield* Clock.Clock
      const context = yield* Effect.context<never>()
      const tracer = Context.get(context, Tracer.Tracer)
      const readLoad = yield* LoopLoad
      const { delaySeconds, roomBounds } = yield* GatewayConfig
      const games = yield* LiveGames
      const older = new OlderViews()
      const realtime = new Edge(new LiveRooms(roomBounds, older), 0, server)
      const delayed = new Edge(new LiveRooms(roomBounds, older), delaySeconds, server)
      const edges = [realtime, delayed]
      const monotonic = monotonicOf(clock)
      const logClock = new LogClock(monotonic)
      /**
       * Returns the current time by the log's clock, in epoch milliseconds. The age of frames is measured by this
       * clock, because the wall clock of this machine may differ.
       */
      const logTime = () => Math.floor(logClock.now ?? clock.currentTimeMillisUnsafe())
      const askLogTime = Effect.map(log.now, (now) => logClock.set(now))
      let unreadable = 0
      let loggedAt = Number.NEGATIVE_INFINITY
      let load = 0
      let loadReadAt = Number.NEGATIVE_INFINITY
      let passed = 0
      let caughtUp = false

      /**
       * Sets the flush window according to the current load. The flush window is how long frames may be collected
       * before they are sent.
       */
      const weigh = (now: number): void => {
        loadReadAt = now
        load = smoothed(load, readLoad())
        for (const edge of edges) edge.windowMs = flushWindowMs(load)
        flushWindow.updateUnsafe(realtime.windowMs / 1_000, context)
      }

      /**
       * Measures the latencies of frames that were received together. Only the first of them is read for the times of
       * its fact: at high load that is a sample, which is enough for quantiles.
       */
      const measure = (frames: ReadonlyArray<Frame>): void => {
        const now = logTime()
        for (const { at } of frames) publishLatency.updateUnsafe(Math.max(0, now - at) / 1_000, context)
        const [first] = frames
        const times = first === undefined ? undefined : timesOfDelta(first.record.delta)
        if (first === undefined || times === undefined) return
        feedLatency.updateUnsafe(Math.max(0, times.receivedAt - times.observedAt) / 1_000, context)
        foldLatency.updateUnsafe(Math.max(0, first.at - times.receivedAt) / 1_000, context)
      }

      const countUnreadable = (): void => {
        unreadable += 1
        recordsUnreadable.updateUnsafe(1, context)
      }

      /** Passes a record to a tier. Returns the new frame, or undefined if the record produced none. */
      const pass = (edge: Edge, record: LogRecord): Frame | undefined => {
        const frame = frameOfRecord(record, games, edge.rooms)
        if (frame !== undefined) {
          try {
            return edge.accept(frame) ? frame : undefined
          } catch (error) {
            // A damaged record of one match must not stop the others.
            if (!(error instanceof UnreadableFrame)) throw error
            countUnreadable()
            return undefined
          }
        }
        const matchId = matchOfSubject(record.subject)
        if (matchId !== undefined && !games.has(gameOfMatch(matchId))) return undefined
        countUnreadable()
        if (matchId !== undefined) edge.handleUnreadable(matchId)
        return undefined
      }

      /** Reports how long passing the frame to the sockets took. Frames that wait for a flush are sent up to 20 ms later. */
      const traceDelivery = (traceparent: string, { epoch, matchId, seq }: Frame, startTime: bigint): void => {
        const attributes = { matchId, epoch, seq }
        reportSpan(
          tracer,
          traceparent,
          { name: "gateway.deliver", startTime, endTime: clock.currentTimeNanosUnsafe(), attributes },
          context,
        )
      }

      const take = (record: LogRecord): Frame | undefined => {
        passed = record.sequence
        const receivedAt = record.traceparent === undefined ? 0n : clock.currentTimeNanosUnsafe()
        const frame = pass(realtime, record)
        if (frame !== undefined && record.traceparent !== undefined) traceDelivery(record.traceparent, frame, receivedAt)
        return frame
      }

      const takeAll = (records: Arr.NonEmptyReadonlyArray<LogRecord>) =>
        Effect.suspend(() => {
          logClock.advanceTo(Arr.lastNonEmpty(records).appendedAt)
          const now = monotonic()
          if (now - loadReadAt >= READ_LOAD_EVERY_MS) weigh(now)
          const frames = records.flatMap((record) => take(record) ?? [])
          if (caughtUp) measure(frames)
          return Effect.andThen(Metric.update(framesReceived, records.length), logFailure)
        })

      const logFailure = Effect.suspend(() => {
        const now = monotonic()
        if (unreadable === 0 || now - loggedAt < LOG_EVERY_MS) return Effect.void
        const count = unreadable
        unreadable = 0
        loggedAt = now
        return Effect.logError(
          `${count} records of LIVE cannot be read by this gateway; clients of these matches were reset or wait for the next keyframe`,
        )
      })

      const delayedReading = new DelayedReading({
        log,
        clock: logClock,
        delayMs: delaySeconds * 1_000,
        verifyLogTime: askLogTime,
        take: (record) => pass(delayed, record),
      })

      /**
       * If the log dropped records before they were read, reading continues at the oldest available record. The
       * affected matches detect the gap themselves.
       */
      const skipDropped = (edge: Edge, setPassed: (sequence: number) => void) => (error: LogError) =>
        error.reason === "Dropped" || error.reason === "HistoryLost"
          ? Effect.map(log.bounds(LIVE), ({ first }) => {
              setPassed(first - 1)
              edge.rooms.readFrom = first
            })
          : Effect.void

      const from = () => (passed === 0 ? ({ _tag: "First" } as const) : ({ _tag: "After", sequence: passed } as const))

      const { first } = yield* log.bounds(LIVE)
      for (const edge of edges) edge.rooms.readFrom = first
      yield* Effect.suspend(() => log.read(LIVE, allLive, from()).pipe(Stream.runForEachArray(takeAll))).pipe(
        Effect.retry({ times: 5, schedule: Schedule.exponential("200 millis") }),
      )
      yield* Effect.retry(askLogTime, { times: 5, schedule: Schedule.exponential("200 millis") })
      yield* Effect.retry(delayedReading.catchUp, { times: 5, schedule: Schedule.exponential("200 millis") })
      // Reads the status of every match once, so that the first list does not have to compute all states at once.
      for (const edge of edges) edge.rooms.live()
      caughtUp = true
      yield* Effect.suspend(() => log.consume(LIVE, allLive, from()).pipe(Stream.runForEachArray(takeAll))).pipe(
        Effect.tapError(
          skipDropped(realtime, (sequence) => {
            passed = sequence
          }),
        ),
        Effect.tapCause((cause) => Effect.logError("reading LIVE failed; trying again", cause)),
        Effect.sandbox,
        resettingRetry({ firstMs: 100, longestMs: 5_000 }),
        Effect.forkScoped,
      )
      yield* delayedReading.follow.pipe(
        Effect.tapError(
          skipDropped(delayed, (sequence) => {
            delayedReading.passed = sequence
          }),
        ),
        Effect.tapCause((cause) => Effect.logError("reading LIVE for the delayed tier failed; trying again", cause)),
        Effect.sandbox,
        resettingRetry({ firstMs: 100, longestMs: 5_000 }),
        Effect.forkScoped,
      )
      const verifyLogTime = Effect.catch(askLogTime, (error) => Effect.logWarning("the log does not report its time", error))
      yield* repeatedly("reading the log's clock", Effect.delay(verifyLogTime, ASK_LOG_TIME_EVERY))

      for (const edge of edges) {
        const pending = Latch.makeUnsafe()
        edge.onPending = () => pending.openUnsafe()
        const flushWhenWaitedFor = Effect.gen(function* () {
          yield* pending.await
          yield* Effect.sleep(edge.windowMs)
          pending.closeUnsafe()
          edge.flush()
        })
        yield* repeatedly("flushing frames", flushWhenWaitedFor)
        for (const stepMs of conflationSteps) {
          const followed = Latch.makeUnsafe()
          edge.onConflation(stepMs, () => followed.openUnsafe())
          const stepWhileFollowed = Effect.gen(function* () {
            yield* followed.await
            yield* Effect.sleep(stepMs)
            if (!edge.step(stepMs)) followed.closeUnsafe()
          })
          yield* repeatedly("conflation", stepWhileFollowed)
        }
      }

      const beat = Effect.sync(() => {
        for (const edge of edges) edge.heartbeat(logTime())
      })
      yield* repeatedly("heartbeats", Effect.delay(beat, `${PING_INTERVAL_SECONDS} seconds`))

      const sweep = Effect.gen(function* () {
        for (const edge of edges) edge.sweep(logTime())
        yield* Metric.update(roomsOpen, realtime.rooms.size)
      })
      yield* repeatedly("removing old matches", Effect.delay(sweep, SWEEP_EVERY))

      return LiveHub.of({
        realtime,
        delayed,
        edgeFor: (plan) => (planTerms[plan].delaySeconds === 0 ? realtime : delayed),
        passed: () => passed,
      })
    }),
  )
}
