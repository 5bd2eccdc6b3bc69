/**
 * Reads frames that the rings no longer have from the LIVE log, for clients that resume from far back. Chunk by chunk, as the client
 * takes them; a few clients at a time, so that a crowd that comes back cannot drown the log. Ends with the client's session.
 */
import { EventLog } from "@matchpoint/bus/EventLog"
import { allLive, LIVE, liveSubject } from "@matchpoint/contracts/bus/subjects"
import type { Cursor } from "@matchpoint/contracts/stream/cursors"
import type { Following } from "@matchpoint/realtime/Following"
import { type Frame, frameOfRecord, isAfter } from "@matchpoint/realtime/Frame"
import type { OlderFrames } from "@matchpoint/realtime/Outlet"
import type { Session } from "@matchpoint/realtime/Session"
import { Context, Effect, type Fiber, FiberSet, Layer, Semaphore, Stream } from "effect"
import { LiveHub } from "../LiveHub.ts"

const AT_ONCE = 16
/** A client that is further behind begins anew: it would not catch up in reasonable time. */
const MAX_FRAMES = 100_000
const CHUNK = 64
const LOOK_AGAIN = "20 millis"

export class Backfill extends Context.Service<Backfill, OlderFrames>()("@matchpoint/service-gateway/stream/Backfill") {
  static readonly layer = Layer.effect(
    Backfill,
    Effect.gen(function* () {
      const log = yield* EventLog
      const { realtime } = yield* LiveHub
      const permits = yield* Semaphore.make(AT_ONCE)
      const run = yield* FiberSet.makeRuntime<never, void, never>()
      const running = new WeakMap<Session, Set<Fiber.Fiber<void>>>()

      const readBack = Effect.fnUntraced(function* (session: Session, following: Following, cursor: Cursor) {
        const { matchId, ring } = following
        // Frames that this tier has not let through yet do not exist for it.
        const until = Math.min(ring?.droppedTo ?? 0, session.edge.rooms.position)
        const position = cursor.position ?? 0
        const from =
          position > 1
            ? ({ _tag: "After", sequence: matchId === undefined ? position - 1 : position } as const)
            : ({ _tag: "First" } as const)
        let found = false
        let count = 0
        yield* log.read(LIVE, matchId === undefined ? allLive : liveSubject(matchId), from).pipe(
          Stream.takeWhile((record) => record.sequence <= until),
          Stream.grouped(CHUNK),
          Stream.runForEach((records) =>
            Effect.gen(function* () {
              let frames = records.flatMap((record) => (realtime.rooms.isRefused(record.sequence) ? [] : (frameOfRecord(record) ?? [])))
              if (!found) {
                const start = startOf(following, cursor, frames)
                if (start === "lost") return yield* Effect.fail("lost" as const)
                if (start === undefined) return
                found = true
                frames = frames.slice(start)
                if (matchId === undefined) session.recovered(following)
                else session.verdict(following, cursor, frames[0])
              }
              count += frames.length
              if (count > MAX_FRAMES) return yield* Effect.fail("lost" as const)
              following.offerOlder(frames)
              session.pump()
              // Pulls, so that a slow client holds a chunk and not a match.
              while (following.olderLeft > 0) yield* Effect.sleep(LOOK_AGAIN)
            }),
          ),
          Effect.timeoutOrElse({ duration: "10 minutes", orElse: () => Effect.fail("lost" as const) }),
          Effect.catch((error) => {
            found = true
            session.reset(following)
            return error === "lost" ? Effect.void : Effect.logWarning("a cursor could not be looked up in LIVE", error)
          }),
        )
        following.reading = false
        if (!found) session.verdict(following, cursor, undefined)
        session.pump()
      })

      return Backfill.of({
        read: (session, following, cursor) => {
          const fiber = run(permits.withPermit(readBack(session, following, cursor)))
          const fibers = running.get(session) ?? new Set()
          running.set(session, fibers.add(fiber))
          fiber.addObserver(() => fibers.delete(fiber))
        },
        stop: (session) => {
          for (const fiber of running.get(session) ?? []) fiber.interruptUnsafe()
        },
      })
    }),
  )
}

/** Index of the first frame after the cursor; undefined: further on. For the room `all` the cursor's own frame must be there. */
const startOf = (following: Following, cursor: Cursor, frames: ReadonlyArray<Frame>): number | "lost" | undefined => {
  if (following.matchId !== undefined) {
    const index = frames.findIndex((frame) => isAfter(frame, cursor))
    return index < 0 ? undefined : index
  }
  const [first] = frames
  if (first === undefined) return undefined
  const { matchId, epoch, seq, position } = first
  return position === cursor.position && matchId === cursor.matchId && epoch === cursor.epoch && seq === cursor.seq ? 1 : "lost"
}
