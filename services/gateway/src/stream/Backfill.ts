/**
 * Serves clients that resume from far back: reads frames that are no longer in the rings from LIVE, in chunks, as fast
 * as the client receives them.
 *
 * - At most 16 chunks are read at the same time, so that many returning clients cannot overload the log.
 * - A slow client does not delay others. The rooms of one client are read one after the other.
 * - If `deepResumes` clients are already being served, a further resume is answered with a `reset` message.
 * - Reading stops when the client leaves the room or disconnects.
 */
import { EventLog, type LogError, type LogRecord } from "@matchpoint/bus/EventLog"
import { sinceKeyframe } from "@matchpoint/bus/sinceKeyframe"
import { allLive, allLiveOf, LIVE, liveSubject } from "@matchpoint/contracts/bus/subjects"
import type { Cursor } from "@matchpoint/contracts/stream/cursors"
import type { MatchId } from "@matchpoint/domain/ids"
import { GatewayConfig } from "@matchpoint/game/edge/GatewayConfig"
import type { ClientSession } from "@matchpoint/realtime/ClientSession"
import { type Frame, frameOfRecord, isAfter, standsAlone } from "@matchpoint/realtime/Frame"
import { FrameLinks } from "@matchpoint/realtime/FrameLinks"
import type { RoomSubscription } from "@matchpoint/realtime/RoomSubscription"
import type { OlderFrames } from "@matchpoint/realtime/SessionConnection"
import { Context, Effect, type Fiber, FiberSet, Layer, Metric, Pull, Semaphore, Stream } from "effect"
import { LiveGames } from "../live/LiveGames.ts"

export const deepResumesRefused = Metric.counter("matchpoint_gateway_deep_resumes_refused_total", {
  description: "Resumes from the log answered with a reset because too many were in progress",
  incremental: true,
})

const READS_AT_ONCE = 16
const CHUNK_WITHIN = "10 seconds"
/**
 * Missed frames that are sent to a client. One that missed more gets a `reset` message, because sending would take too
 * long.
 */
const MAX_FRAMES = 100_000
const CHUNK = 64
const LOOK_AGAIN = "20 millis"

export class Backfill extends Context.Service<Backfill, OlderFrames>()("@matchpoint/service-gateway/stream/Backfill") {
  static readonly layer = Layer.effect(
    Backfill,
    Effect.gen(function* () {
      const log = yield* EventLog
      const games = yield* LiveGames
      const frameOf = (record: LogRecord) => frameOfRecord(record, games)
      const { deepResumes } = yield* GatewayConfig
      const context = yield* Effect.context<never>()
      const permits = yield* Semaphore.make(READS_AT_ONCE)
      const run = yield* FiberSet.makeRuntime<never, void, never>()
      const fibers = new WeakMap<ClientSession, Fiber.Fiber<void>>()
      /** Pending resumes of the clients for which frames are being read. */
      const readers = new Map<ClientSession, Array<Resume>>()

      const sendOlder = Effect.fnUntraced(function* (session: ClientSession, following: RoomSubscription, cursor: Cursor) {
        const { game, matchId, ring } = following
        const filter = matchId !== undefined ? liveSubject(matchId) : game === undefined ? allLive : allLiveOf(game)
        // Later frames are too recent for the client's tier and must not be sent.
        const until = Math.min(ring?.droppedTo ?? 0, session.edge.rooms.position)
        const position = cursor.position ?? 0
        const from =
          position > 1
            ? ({ _tag: "After", sequence: matchId === undefined ? position - 1 : position } as const)
            : ({ _tag: "First" } as const)
        const pull = yield* log.read(LIVE, filter, from).pipe(
          Stream.takeWhile((record) => record.sequence <= until),
          Stream.rechunk(CHUNK),
          Stream.toPull,
        )
        const readChunk = pull.pipe(
          Effect.timeoutOrElse({ duration: CHUNK_WITHIN, orElse: () => Effect.fail("lost" as const) }),
          permits.withPermit,
          Pull.catchDone(() => Effect.succeed([])),
        )
        const links = new FrameLinks()
        /** The records since the last keyframe are needed to rebuild the documents of the following frames. */
        const linkUpTo = (id: MatchId, last: number) =>
          sinceKeyframe(log, id, last).pipe(
            Effect.timeoutOrElse({ duration: CHUNK_WITHIN, orElse: () => Effect.fail("lost" as const) }),
            permits.withPermit,
            Effect.flatMap((records) =>
              Effect.sync(() => {
                for (const frame of records.flatMap((record) => frameOf(record) ?? [])) links.take(frame)
              }),
            ),
          )
        if (matchId !== undefined && position > 1) yield* linkUpTo(matchId, position)
        /**
         * Rebuilds the frame's document. A stream of all matches in message format v2 needs none, because it sends only
         * deltas.
         */
        const sendable = (frame: Frame): Effect.Effect<Frame | undefined, LogError | "lost"> => {
          if (matchId === undefined && following.channel.shape === "v2") return Effect.succeed(frame)
          if (matchId !== undefined || links.has(frame.matchId) || standsAlone(frame)) return Effect.succeed(links.take(frame))
          return Effect.flatMap(linkUpTo(frame.matchId, frame.position - 1), () =>
            links.has(frame.matchId) ? Effect.succeed(links.take(frame)) : Effect.fail("lost" as const),
          )
        }
        let found = false
        let count = 0
        for (let records = yield* readChunk; records.length > 0; records = yield* readChunk) {
          let frames: Array<Frame> = []
          for (const record of records) {
            const read = session.edge.rooms.isRefused(record.sequence) ? undefined : frameOf(record)
            const frame = read === undefined ? undefined : yield* sendable(read)
            if (frame !== undefined) frames.push(frame)
          }
          if (!isFollowed(session, following)) return true
          if (!found) {
            const start = startOf(following, cursor, frames)
            if (start === "lost") return yield* Effect.fail("lost" as const)
            if (start === undefined) continue
            found = true
            frames = frames.slice(start)
            if (matchId === undefined) session.recovered(following)
            else session.handleLogResult(following, cursor, frames[0])
          }
          count += frames.length
          if (count > MAX_FRAMES) return yield* Effect.fail("lost" as const)
          following.offerOlder(frames)
          session.pump()
          // A slow client thus occupies the memory of one chunk instead of a whole match.
          while (following.olderLeft > 0 && isFollowed(session, following)) yield* Effect.sleep(LOOK_AGAIN)
        }
        return found
      }, Effect.scoped)

      const readBack = Effect.fnUntraced(function* (session: ClientSession, { cursor, following }: Resume) {
        const found = yield* sendOlder(session, following, cursor).pipe(
          Effect.timeoutOrElse({ duration: "10 minutes", orElse: () => Effect.fail("lost" as const) }),
          Effect.catch((error) =>
            restart(
              session,
              following,
              error === "lost" ? Effect.void : Effect.logWarning("a cursor could not be found in LIVE; the client was reset", error),
            ),
          ),
          Effect.catchDefect((defect) =>
            restart(session, following, Effect.logError("reading older frames from LIVE failed; the client was reset", defect)),
          ),
        )
        following.reading = false
        if (!found) session.handleLogResult(following, cursor, undefined)
        session.pump()
      })

      const readAll = Effect.fnUntraced(function* (session: ClientSession, waiting: Array<Resume>) {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          if (isFollowed(session, next.following)) yield* readBack(session, next)
        }
        readers.delete(session)
      })

      return Backfill.of({
        read: (session, following, cursor) => {
          const known = readers.get(session)
          if (known !== undefined) {
            known.push({ following, cursor })
            return
          }
          if (readers.size >= deepResumes) {
            deepResumesRefused.updateUnsafe(1, context)
            following.reading = false
            session.reset(following)
            return
          }
          const waiting = [{ following, cursor }]
          readers.set(session, waiting)
          const fiber = run(readAll(session, waiting))
          fibers.set(session, fiber)
          fiber.addObserver(() => {
            if (readers.get(session) === waiting) readers.delete(session)
          })
        },
        stop: (session) => fibers.get(session)?.interruptUnsafe(),
      })
    }),
  )
}

interface Resume {
  readonly following: RoomSubscription
  readonly cursor: Cursor
}

/** Sends a `reset` message. Returns true: the client knows the result of its resume. */
const restart = (session: ClientSession, following: RoomSubscription, informClient: Effect.Effect<void>): Effect.Effect<boolean> =>
  Effect.suspend(() => {
    if (isFollowed(session, following)) session.reset(following)
    return Effect.as(informClient, true)
  })

/** False if the client has left the room, even if it has subscribed again since. */
const isFollowed = (session: ClientSession, following: RoomSubscription): boolean => session.rooms.get(following.room) === following

/**
 * Index of the first frame after the cursor; undefined if it is in a later chunk. For `all`, the chunk must begin with
 * the cursor's frame, otherwise "lost".
 */
const startOf = (following: RoomSubscription, cursor: Cursor, frames: ReadonlyArray<Frame>): number | "lost" | undefined => {
  if (following.matchId !== undefined) {
    const index = frames.findIndex((frame) => isAfter(frame, cursor))
    return index < 0 ? undefined : index
  }
  const [first] = frames
  if (first === undefined) return undefined
  const { matchId, epoch, seq, position } = first
  return position === cursor.position && matchId === cursor.matchId && epoch === cursor.epoch && seq === cursor.seq ? 1 : "lost"
}
