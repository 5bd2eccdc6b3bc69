/**
 * The way of a frame through the edge: LIVE log -> room -> every socket that follows it, the same bytes all the way. One hub per
 * process; it owns the rooms and the publishing, not the sockets.
 */
import { EventLog, type LogError, type LogRecord } from "@matchpoint/bus/EventLog"
import { allLive, LIVE } from "@matchpoint/contracts/bus/subjects"
import { ALL, matchRoom } from "@matchpoint/contracts/stream/messages"
import { LiveRooms } from "@matchpoint/realtime/LiveRooms"
import { UwsServer } from "@matchpoint/uws/UwsServer"
import { Clock, Context, Effect, Layer, Metric, Schedule, Stream } from "effect"
import { updateEvent } from "./stream/sseEvents.ts"

export const framesReceived = Metric.counter("gateway_frames_total", { description: "Frames taken from LIVE", incremental: true })
export const roomsOpen = Metric.gauge("gateway_rooms", { description: "Matches the edge knows" })

const SWEEP_EVERY = "30 seconds"

export class LiveHub extends Context.Service<LiveHub, { readonly rooms: LiveRooms }>()("@matchpoint/service-gateway/LiveHub") {
  /** Ready when everything the log holds has been read: no request sees half of a match. */
  static readonly layer = Layer.effect(
    LiveHub,
    Effect.gen(function* () {
      const log = yield* EventLog
      const server = yield* UwsServer
      const rooms = new LiveRooms()
      let passed = 0

      const take = (record: LogRecord): void => {
        passed = record.sequence
        const accepted = rooms.accept(record)
        if (accepted === undefined) return
        const { room, frame } = accepted
        const topic = matchRoom(room.matchId)
        // Two native calls however many sockets follow; the bytes are the log's own.
        server.publish(topic, frame.bytes)
        server.publish(ALL, frame.bytes)
        if (server.sseSubscribers(topic) > 0 || server.sseSubscribers(ALL) > 0) {
          const event = updateEvent(room.matchId, frame)
          server.publishSse(topic, event)
          server.publishSse(ALL, event)
        }
      }

      const takeAll = (records: ReadonlyArray<LogRecord>) =>
        Effect.suspend(() => {
          for (const record of records) take(record)
          return Metric.update(framesReceived, records.length)
        })

      /** Records that were dropped before we had read them will not come: go on with what there is. Rooms count what they missed. */
      const skipDropped = (error: LogError) =>
        error.reason === "Dropped" || error.reason === "HistoryLost"
          ? Effect.map(log.bounds(LIVE), ({ first }) => {
              passed = first - 1
            })
          : Effect.void

      const from = () => (passed === 0 ? ({ _tag: "First" } as const) : ({ _tag: "After", sequence: passed } as const))
      const retry = Effect.retry(Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("5 seconds")]))

      yield* Effect.suspend(() => log.read(LIVE, allLive, from()).pipe(Stream.runForEachArray(takeAll))).pipe(
        Effect.retry({ times: 5, schedule: Schedule.exponential("200 millis") }),
      )
      yield* Effect.suspend(() => log.consume(LIVE, allLive, from()).pipe(Stream.runForEachArray(takeAll))).pipe(
        Effect.tapError(skipDropped),
        Effect.tapCause((cause) => Effect.logError("LIVE cannot be followed; trying again", cause)),
        Effect.sandbox,
        retry,
        Effect.forkScoped,
      )
      yield* Effect.gen(function* () {
        rooms.sweep(yield* Clock.currentTimeMillis)
        yield* Metric.update(roomsOpen, rooms.size)
      }).pipe(Effect.delay(SWEEP_EVERY), Effect.forever, Effect.forkScoped)

      return LiveHub.of({ rooms })
    }),
  )
}
