/** Answers other services from the tier of their plan, and takes facts from those who may tell them. */
import type { LogError } from "@matchpoint/bus/EventLog"
import { FeedWriter } from "@matchpoint/bus/FeedWriter"
import { Caller } from "@matchpoint/contracts/http/Authentication"
import { TryAgain, UnknownMatch } from "@matchpoint/contracts/rpc/errors"
import { type ListedMatch, LiveRpcs } from "@matchpoint/contracts/rpc/LiveRpcs"
import { type CompactSnapshot, type LiveDelta, type LiveUpdate, UPDATE } from "@matchpoint/contracts/stream/frames"
import type { FeedEvent } from "@matchpoint/domain/cs2/feedEvents"
import type { MatchId } from "@matchpoint/domain/ids"
import type { Frame } from "@matchpoint/realtime/Frame"
import type { MatchRoom } from "@matchpoint/realtime/MatchRoom"
import { Effect, Stream } from "effect"
import { asCs2, type Cs2Views, cs2RoomOf } from "../cs2/live/Cs2Views.ts"
import { LiveHub } from "../LiveHub.ts"
import { MatchFollowers } from "./MatchFollowers.ts"
import { RpcMetering } from "./RpcMetering.ts"

export const LiveRpcHandlers = LiveRpcs.toLayer(
  Effect.gen(function* () {
    const hub = yield* LiveHub
    const followers = yield* MatchFollowers
    const writer = yield* FeedWriter
    const metering = yield* RpcMetering
    /** Matches that were announced; asked of the log once each. */
    const known = new Set<MatchId>()

    const rooms = Effect.map(Caller, ({ plan }) => hub.edgeFor(plan).rooms)

    /** A log that is away is told to the caller as a reason to try again; anything else is our mistake. */
    const orTryAgain = <A>(what: string, attempt: Effect.Effect<A, LogError>): Effect.Effect<A, TryAgain> =>
      attempt.pipe(
        Effect.catchIf(isRetryable, (error) =>
          Effect.andThen(Effect.logWarning(what, error), Effect.fail(new TryAgain({ message: what }))),
        ),
        Effect.orDie,
      )

    /** Facts of a match that was not announced would lie in the log and be read by no service. */
    const expectKnown = Effect.fnUntraced(function* (matchId: MatchId) {
      if (known.has(matchId)) return
      if (!(yield* orTryAgain("the log does not answer", writer.isAnnounced(matchId)))) return yield* new UnknownMatch({ matchId })
      known.add(matchId)
    })

    const stateOf = Effect.fnUntraced(function* (matchId: MatchId) {
      const room = cs2RoomOf((yield* rooms).get(matchId))
      const newest = room?.newest
      const match = room?.match
      if (newest === undefined || match === undefined) return yield* new UnknownMatch({ matchId })
      return { cursor: cursorOf(newest), publishedAt: publishedAt(newest), match }
    })

    return LiveRpcs.of({
      ListLive: () => metering.call(Effect.map(rooms, (rooms) => rooms.live().flatMap(listed))),
      GetState: ({ matchId }) => metering.call(stateOf(matchId)),
      Follow: ({ matchId, from }, { client }) =>
        Stream.unwrap(
          Effect.gen(function* () {
            const { plan } = yield* Caller
            const { room, after, viewsOf } = yield* followers.follow(client, plan, matchId)
            const { ended } = yield* metering.stream
            const updates = Stream.map(after(from ?? beforeNewest(room), "v1"), (frame) => updateOf(asCs2(viewsOf(frame))))
            return Stream.interruptWhen(updates, ended)
          }),
        ),
      FollowDeltas: ({ matchId, from }, { client }) =>
        Stream.unwrap(
          Effect.gen(function* () {
            const { plan } = yield* Caller
            const { room, after } = yield* followers.follow(client, plan, matchId)
            const { ended } = yield* metering.stream
            const { views } = room
            if (from !== undefined || views === undefined) {
              return Stream.interruptWhen(Stream.map(after(from ?? beforeNewest(room), "v2"), deltaOf), ended)
            }
            const snapshot: CompactSnapshot = JSON.parse(text.decode(views.snapshot("v2")))
            const deltas = Stream.map(after(cursorOf(views.frame), "v2"), deltaOf)
            return Stream.interruptWhen(Stream.concat(Stream.succeed(snapshot), deltas), ended)
          }),
        ),
      AppendEvent: Effect.fnUntraced(function* (event: FeedEvent) {
        const { matchId } = event
        if (event.type !== "MatchCreated") yield* expectKnown(matchId)
        const { sequence, duplicate } = yield* orTryAgain("the log does not take facts", writer.append(event))
        if (event.type === "MatchCreated") {
          yield* orTryAgain("the log does not take facts", writer.announce(matchId))
          known.add(matchId)
        }
        return { sequence, duplicate }
      }),
    })
  }),
)

const text = new TextDecoder()

const isRetryable = (error: LogError): boolean => error.retryable

const cursorOf = ({ epoch, seq }: Frame) => ({ epoch, seq })

const publishedAt = ({ at }: Frame): string => new Date(at).toISOString()

/** The frame from which the newest is the next. */
const beforeNewest = ({ newest }: MatchRoom) => (newest === undefined ? { epoch: 0, seq: 0 } : { epoch: newest.epoch, seq: newest.seq - 1 })

const listed = (room: MatchRoom): ReadonlyArray<ListedMatch> => {
  const views = cs2RoomOf(room)?.views
  return views === undefined ? [] : [{ cursor: cursorOf(views.frame), match: views.match }]
}

/** Not validated here: they are our own, and the RPC server encodes them by their schema. */
const updateOf = ({ event, head, match }: Cs2Views): LiveUpdate => ({ type: UPDATE, ...head, matchId: match.matchId, event, data: match })
const deltaOf = (frame: Frame): LiveDelta => JSON.parse(text.decode(frame.delta))
