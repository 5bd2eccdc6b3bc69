/** Streams the frames of one match that the plan may see. `nextFrames` selects them. The only state of a stream is its cursor. */
import { FramesGone, type MatchCursor, UnknownMatch } from "@matchpoint/contracts/rpc/errors"
import type { Shape } from "@matchpoint/contracts/stream/frames"
import type { MatchId } from "@matchpoint/domain/ids"
import type { Plan } from "@matchpoint/domain/plans"
import { LiveHub } from "@matchpoint/game/edge/live/LiveHub"
import type { Frame } from "@matchpoint/realtime/Frame"
import type { FrameViews } from "@matchpoint/realtime/FrameViews"
import type { MatchRoom } from "@matchpoint/realtime/MatchRoom"
import { Context, Effect, Latch, Layer, Metric, Option, Semaphore, Stream } from "effect"
import { FrameSignals } from "./FrameSignals.ts"
import { nextFrames } from "./nextFrames.ts"

export const followersOpen = Metric.gauge("matchpoint_gateway_rpc_followers", {
  description: "Open streams of matches to other services, over RPC",
})

/**
 * Unacknowledged messages per connection, over all its streams. The buffer of a socket is large enough for this many
 * messages of `MAX_BYTES`.
 */
const ON_THE_WAY = 6

export interface FollowedMatch {
  /** The room as it was when the stream was opened. */
  readonly room: MatchRoom
  /** All frames after the cursor, each once and in order. Ends with the match. */
  readonly after: (cursor: MatchCursor, shape: Shape) => Stream.Stream<Frame, FramesGone>
  readonly viewsOf: (frame: Frame) => FrameViews
}

export class MatchFollowers extends Context.Service<
  MatchFollowers,
  {
    /** All streams of one connection must be opened with the same `connection` object. */
    readonly follow: (connection: object, plan: Plan, matchId: MatchId) => Effect.Effect<FollowedMatch, UnknownMatch>
    /** Number of open streams. */
    readonly count: () => number
  }
>()("@matchpoint/service-gateway/rpc/MatchFollowers") {
  static readonly layer = Layer.effect(
    MatchFollowers,
    Effect.gen(function* () {
      const hub = yield* LiveHub
      const signals = new Map([hub.realtime, hub.delayed].map((edge) => [edge, new FrameSignals(edge)]))
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          for (const { stop } of signals.values()) stop()
        }),
      )
      const count = () => [...signals.values()].reduce((sum, { size }) => sum + size, 0)
      const turns = new WeakMap<object, Semaphore.Semaphore>()
      const measured = Effect.suspend(() => Metric.update(followersOpen, count()))

      return MatchFollowers.of({
        count,
        follow: Effect.fnUntraced(function* (connection, plan, matchId) {
          const turn = turns.get(connection) ?? Semaphore.makeUnsafe(ON_THE_WAY)
          turns.set(connection, turn)
          const edge = hub.edgeFor(plan)
          yield* hub.upToDate(edge, matchId)
          const first = edge.rooms.get(matchId)
          if (first === undefined) return yield* new UnknownMatch({ matchId })
          const viewsOf = (frame: Frame) => edge.rooms.viewsOf(frame)
          const after = (start: MatchCursor, shape: Shape) =>
            Stream.unwrap(
              Effect.gen(function* () {
                const more = yield* Latch.make()
                yield* Effect.acquireRelease(
                  Effect.sync(() => hub.hold(edge, matchId)),
                  (release) => Effect.sync(release),
                )
                yield* Effect.acquireRelease(
                  Effect.sync(() => signals.get(edge)?.on(matchId, () => more.openUnsafe())).pipe(Effect.tap(measured)),
                  (release) =>
                    Effect.andThen(
                      Effect.sync(() => release?.()),
                      measured,
                    ),
                )
                // A message is on its way. When the client requests the next one, it has received the previous one.
                let hasTurn = false
                const releaseTurn = Effect.suspend(() => {
                  if (!hasTurn) return Effect.void
                  hasTurn = false
                  return turn.release(1)
                })
                const takeTurn = Effect.uninterruptibleMask((restore) =>
                  Effect.map(restore(turn.take(1)), () => {
                    hasTurn = true
                  }),
                )
                yield* Effect.addFinalizer(() => releaseTurn)
                // The room is kept so that the remaining frames can be read even after the gateway has removed it.
                let room = first
                const look = (cursor: MatchCursor) => {
                  more.closeUnsafe()
                  room = edge.rooms.get(matchId) ?? room
                  return nextFrames(room, cursor, (frame) => (shape === "v2" ? frame.record.delta.length : viewsOf(frame).update.length))
                }
                const pull = (cursor: MatchCursor): Effect.Effect<Turn, FramesGone> =>
                  Effect.suspend(() => {
                    const next = look(cursor)
                    switch (next._tag) {
                      case "Frames":
                        if (hasTurn) return Effect.succeed([next.frames, Option.fromUndefinedOr(next.frames.at(-1))] as const)
                        return Effect.andThen(takeTurn, pull(cursor))
                      case "Over":
                        return Effect.succeed([[], Option.none()] as const)
                      case "Gone":
                        return Effect.fail(
                          new FramesGone({ matchId, cursor: { epoch: cursor.epoch, seq: cursor.seq }, resume: next.resume }),
                        )
                      case "Wait":
                        return Effect.andThen(more.await, pull(cursor))
                    }
                  })
                return Stream.paginate(start, (cursor: MatchCursor) => Effect.andThen(releaseTurn, pull(cursor)))
              }),
            )
          return { room: first, after, viewsOf }
        }),
      })
    }),
  )
}

type Turn = readonly [ReadonlyArray<Frame>, Option.Option<MatchCursor>]
