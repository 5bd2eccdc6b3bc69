/** Owns the tiers of live data and their timers, but not the sockets. */
import { EventLog, type LogRecord } from "@matchpoint/bus/EventLog"
import { reportSpan } from "@matchpoint/bus/traceparent"
import { allEntries, allLive, ENTRIES, LIVE, matchOfSubject, PARTITIONS, partitionOf } from "@matchpoint/contracts/bus/subjects"
import { conflationSteps, PING_INTERVAL_SECONDS } from "@matchpoint/contracts/stream/messages"
import { parseRoom } from "@matchpoint/contracts/stream/rooms"
import { timesOfDelta } from "@matchpoint/contracts/stream/wire"
import { monotonicOf } from "@matchpoint/domain/monotonic"
import { planTerms } from "@matchpoint/domain/plans"
import { GatewayConfig } from "@matchpoint/game/edge/GatewayConfig"
import { LiveHub } from "@matchpoint/game/edge/live/LiveHub"
import { repeatedly } from "@matchpoint/process/supervision/repeatedly"
import { Edge } from "@matchpoint/realtime/Edge"
import type { Frame } from "@matchpoint/realtime/Frame"
import { flushWindowMs, smoothed } from "@matchpoint/realtime/flushWindow"
import { LiveRooms } from "@matchpoint/realtime/LiveRooms"
import { OlderViews } from "@matchpoint/realtime/OlderViews"
import { UwsServer } from "@matchpoint/uws/UwsServer"
import { Array as Arr, Clock, Context, Effect, Latch, Layer, Metric, Schedule, Tracer } from "effect"
import { LoopLoad } from "../LoopLoad.ts"
import { DelayedReading } from "./DelayedReading.ts"
import { Interest, partOf } from "./Interest.ts"
import { LiveGames } from "./LiveGames.ts"
import { LogClock } from "./LogClock.ts"
import { PromptReading } from "./PromptReading.ts"
import { RecordIntake } from "./RecordIntake.ts"
import { newestFor, readLive, type Tier } from "./readLive.ts"

export const framesReceived = Metric.counter("matchpoint_gateway_frames_total", {
  description: "Frames read from LIVE",
  incremental: true,
})
export const roomsOpen = Metric.gauge("matchpoint_gateway_rooms", { description: "Matches held in memory by the gateway" })
export const partitionsRead = Metric.gauge("matchpoint_gateway_partitions_read", {
  description: "Partitions of LIVE, out of 64, that the real-time tier of the gateway reads",
})
export const flushWindow = Metric.gauge("matchpoint_gateway_flush_window_seconds", {
  description: "Time for which frames are collected before they are sent together",
})
/** Buckets of the latency histograms, in seconds. */
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
const UP_TO_DATE_WITHIN = "2 seconds"

/**
 * Ready only after the hub has read LIVE, or the list entries of all matches, to the end, so that no request sees an
 * incomplete match or list.
 */
export const LiveHubLayer = Layer.effect(
  LiveHub,
  Effect.gen(function* () {
    const log = yield* EventLog
    const server = yield* UwsServer
    const clock = yield* Clock.Clock
    const context = yield* Effect.context<never>()
    const tracer = Context.get(context, Tracer.Tracer)
    const readLoad = yield* LoopLoad
    const { delaySeconds, reads, roomBounds } = yield* GatewayConfig
    const games = yield* LiveGames
    const older = new OlderViews()
    const newRooms = () => new LiveRooms(roomBounds, older)
    const realtime = new Edge(newRooms(), 0, server)
    const delayed = new Edge(newRooms(), delaySeconds, server)
    const edges = [realtime, delayed]
    const monotonic = monotonicOf(clock)
    const intake = new RecordIntake(games, monotonic, context)
    const logClock = new LogClock(monotonic)
    /**
     * Epoch milliseconds by the log's clock, which measures the age of frames: the wall clock of this machine may
     * differ.
     */
    const logTime = () => Math.floor(logClock.now ?? clock.currentTimeMillisUnsafe())
    const askLogTime = Effect.map(log.now, (now) => logClock.set(now))
    let load = 0
    let loadReadAt = Number.NEGATIVE_INFINITY
    let caughtUp = false
    /** Questions for the newest record so far. */
    let turn = 0

    /** The flush window is how long frames may be collected before they are sent. It depends on the load. */
    const weigh = (now: number): void => {
      loadReadAt = now
      load = smoothed(load, readLoad())
      for (const edge of edges) edge.windowMs = flushWindowMs(load)
      flushWindow.updateUnsafe(realtime.windowMs / 1_000, context)
    }

    /**
     * Measures frames that were received together by the first of them: at high load a sample, which is enough for
     * quantiles.
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

    /** How long passing the frame to the sockets took. Frames that wait for a flush are sent up to 20 ms later. */
    const traceDelivery = (traceparent: string, { epoch, matchId, seq }: Frame, startTime: bigint): void => {
      const attributes = { matchId, epoch, seq }
      reportSpan(tracer, traceparent, { name: "gateway.deliver", startTime, endTime: clock.currentTimeNanosUnsafe(), attributes }, context)
    }

    const take = (record: LogRecord): Frame | undefined => {
      const receivedAt = record.traceparent === undefined ? 0n : clock.currentTimeNanosUnsafe()
      const frame = intake.pass(realtime, record)
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
        return Effect.andThen(Metric.update(framesReceived, records.length), intake.report)
      })

    const newInterest = () => new Interest(monotonic, reads === "all" ? "all" : new Set())
    const interests = { realtime: newInterest(), delayed: newInterest() }
    const interestOf = (edge: Edge): Interest => (edge === realtime ? interests.realtime : interests.delayed)
    const takeEntry = (edge: Edge) => (record: LogRecord) => {
      const matchId = matchOfSubject(record.subject)
      if (matchId !== undefined && !interestOf(edge).isRead(partitionOf(matchId))) intake.passEntry(edge.rooms, record)
    }
    const takeEntries = (records: ReadonlyArray<LogRecord>) => Effect.sync(() => records.forEach(takeEntry(realtime)))
    const promptTier: Tier = {
      name: "real-time",
      edge: realtime,
      interest: interests.realtime,
      live: new PromptReading({ log, stream: LIVE, filter: allLive, take: takeAll }),
      entries: new PromptReading({ log, stream: ENTRIES, filter: allEntries, take: takeEntries }),
    }
    const aged = { log, clock: logClock, delayMs: delaySeconds * 1_000, verifyLogTime: askLogTime }
    const delayedTier: Tier = {
      name: "delayed",
      edge: delayed,
      interest: interests.delayed,
      live: new DelayedReading({ ...aged, stream: LIVE, filter: allLive, take: (record) => intake.pass(delayed, record) }),
      entries: new DelayedReading({ ...aged, stream: ENTRIES, filter: allEntries, take: takeEntry(delayed) }),
    }

    yield* Effect.retry(askLogTime, { times: 5, schedule: Schedule.exponential("200 millis") })
    yield* readLive({ log, reads, tiers: [promptTier, delayedTier], intake, newRooms })
    // Reads every status once, so that the first list does not have to compute all states at once.
    for (const edge of edges) edge.rooms.live()
    caughtUp = true
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
        edge.channels.onConflation(stepMs, () => followed.openUnsafe())
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
      const { read } = interests.realtime
      yield* Metric.update(partitionsRead, read === "all" ? PARTITIONS : read.size)
    })
    yield* repeatedly("removing old matches", Effect.delay(sweep, SWEEP_EVERY))

    /** Unknown matches need nothing, so requests for them cost nothing. */
    const partsOf = (edge: Edge, rooms: ReadonlyArray<string>) =>
      rooms.flatMap((room) => {
        const parsed = parseRoom(room)
        const isUnknown = parsed?._tag === "Match" && edge.rooms.get(parsed.matchId) === undefined
        return isUnknown ? [] : (partOf(parsed) ?? [])
      })
    const whenRead: LiveHub["Service"]["whenRead"] = (edge, rooms, go) => {
      if (reads === "all") {
        go()
        return () => {}
      }
      const interest = interestOf(edge)
      let cancel = () => {}
      const attempt = (): void => {
        cancel = interest.whenRead(partsOf(edge, rooms), () => {
          // A match may have become known in the meantime.
          if (partsOf(edge, rooms).every((part) => interest.isRead(part))) go()
          else attempt()
        })
      }
      attempt()
      return () => cancel()
    }

    return LiveHub.of({
      realtime,
      delayed,
      edgeFor: (plan) => (planTerms[plan].delaySeconds === 0 ? realtime : delayed),
      passed: () => promptTier.live.passed,
      newest: Effect.suspend(() => newestFor(promptTier, log, turn++)),
      whenRead,
      upToDate: (edge, id) => {
        if (reads === "all") return Effect.void
        const isRead = Effect.callback<void>((resume) => {
          const cancel = whenRead(edge, [`match:${id}`], () => resume(Effect.void))
          return Effect.sync(cancel)
        })
        return Effect.asVoid(Effect.timeoutOption(isRead, UP_TO_DATE_WITHIN))
      },
      hold: (edge, matchId) => interestOf(edge).hold(partitionOf(matchId)),
    })
  }),
)
