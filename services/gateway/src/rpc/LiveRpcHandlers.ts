/** Live data for other services, as far as their plan allows. Callers with a feed token may also send facts. */
import type { LogError } from "@matchpoint/bus/EventLog"
import { FeedWriter } from "@matchpoint/bus/FeedWriter"
import { frameNames } from "@matchpoint/contracts/game/LiveContract"
import { Caller } from "@matchpoint/contracts/http/Authentication"
import { FactRefused, TryAgain, UnknownMatch } from "@matchpoint/contracts/rpc/errors"
import { type AnyFact, LiveRpcs } from "@matchpoint/contracts/rpc/LiveRpcs"
import { anyFrameParts, framesOf } from "@matchpoint/contracts/stream/frames"
import type { ChannelGame } from "@matchpoint/contracts/stream/streamPaths"
import { gameOfMatch, type MatchId } from "@matchpoint/domain/ids"
import { unstorableTextIn } from "@matchpoint/domain/storableText"
import { LiveHub } from "@matchpoint/game/edge/live/LiveHub"
import { newestViews } from "@matchpoint/game/edge/live/newestViews"
import { roomsWith } from "@matchpoint/game/edge/live/roomsWith"
import type { Frame } from "@matchpoint/realtime/Frame"
import type { FrameViews } from "@matchpoint/realtime/FrameViews"
import type { MatchRoom } from "@matchpoint/realtime/MatchRoom"
import { Effect, Stream } from "effect"
import { LiveGames } from "../live/LiveGames.ts"
import { visibleGame } from "../stream/channels.ts"
import { MatchFollowers } from "./MatchFollowers.ts"
import { RpcMetering } from "./RpcMetering.ts"

/** Characters. The message may quote large parts of the fact. */
const LONGEST_MESSAGE = 2_000

export const LiveRpcHandlers = LiveRpcs.toLayer(
  Effect.gen(function* () {
    const games = yield* LiveGames
    const hub = yield* LiveHub
    const followers = yield* MatchFollowers
    const writer = yield* FeedWriter
    const metering = yield* RpcMetering
    /** Announced matches, so that the log is queried once per match. */
    const known = new Set<MatchId>()

    const rooms = Effect.map(Caller, ({ plan }) => hub.edgeFor(plan).rooms)

    /** A failure that is not retryable becomes an unexpected error. */
    const orTryAgain = <A>(what: string, attempt: Effect.Effect<A, LogError>): Effect.Effect<A, TryAgain> =>
      attempt.pipe(
        Effect.catchIf(isRetryable, (error) =>
          Effect.andThen(Effect.logWarning(what, error), Effect.fail(new TryAgain({ message: what }))),
        ),
        Effect.orDie,
      )

    /** If a match was not announced, no service would read its facts from the log. */
    const expectKnown = Effect.fnUntraced(function* (matchId: MatchId) {
      if (known.has(matchId)) return
      if (!(yield* orTryAgain("the log does not answer; try again", writer.isAnnounced(matchId))))
        return yield* new UnknownMatch({ matchId })
      known.add(matchId)
    })

    const stateOf = Effect.fnUntraced(function* (matchId: MatchId) {
      const views = (yield* roomsWith(hub, matchId)).get(matchId)?.views
      if (views === undefined) return yield* new UnknownMatch({ matchId })
      const { frame, match } = views
      return { cursor: cursorOf(frame), publishedAt: publishedAt(frame), match: match as Document }
    })

    /** Matches that the caller may see. */
    const listed = Effect.fnUntraced(function* (game: ChannelGame) {
      const seen = game ?? visibleGame(undefined, yield* Caller)
      const live = (yield* rooms).live()
      const ofGame = seen === undefined ? live : live.filter(({ matchId }) => gameOfMatch(matchId) === seen)
      return (yield* newestViews(ofGame)).map((views) => ({ cursor: cursorOf(views.frame), match: rowOf(views) }))
    })

    return LiveRpcs.of({
      ListLive: (request) => metering.call(request?.game, listed(request?.game)),
      GetState: ({ matchId }) => metering.call(gameOfMatch(matchId), stateOf(matchId)),
      Follow: ({ matchId, from }, { client }) =>
        Stream.unwrap(
          Effect.gen(function* () {
            const { plan } = yield* Caller
            const { room, after, viewsOf } = yield* followers.follow(client, plan, matchId)
            const { ended } = yield* metering.stream(gameOfMatch(matchId))
            const updates = Stream.map(after(from ?? beforeNewest(room), "v1"), (frame) => updateOf(viewsOf(frame)))
            return Stream.interruptWhen(updates, ended)
          }),
        ),
      FollowDeltas: ({ matchId, from }, { client }) =>
        Stream.unwrap(
          Effect.gen(function* () {
            const { plan } = yield* Caller
            const { room, after } = yield* followers.follow(client, plan, matchId)
            const { ended } = yield* metering.stream(gameOfMatch(matchId))
            const { views } = room
            if (from !== undefined || views === undefined) {
              return Stream.interruptWhen(Stream.map(after(from ?? beforeNewest(room), "v2"), deltaOf), ended)
            }
            const snapshot: Snapshot = JSON.parse(text.decode(views.snapshot("v2")))
            const deltas = Stream.map(after(cursorOf(views.frame), "v2"), deltaOf)
            return Stream.interruptWhen(Stream.concat(Stream.succeed(snapshot), deltas), ended)
          }),
        ),
      AppendEvent: Effect.fnUntraced(function* (fact: typeof AnyFact.Type) {
        const { matchId } = fact
        const contract = games.get(gameOfMatch(matchId))
        if (contract === undefined) return yield* new UnknownMatch({ matchId })
        const unstorable = unstorableTextIn({ type: fact.type, payload: fact.payload })
        if (unstorable !== undefined) {
          return yield* new FactRefused({ message: `${unstorable.path.join(".")} ${unstorable.issue}`.slice(0, LONGEST_MESSAGE) })
        }
        const { creates, event } = yield* Effect.mapError(
          Effect.fromResult(contract.readFact(fact)),
          (message) => new FactRefused({ message: message.slice(0, LONGEST_MESSAGE) }),
        )
        if (!creates) yield* expectKnown(matchId)
        const { sequence, duplicate } = yield* orTryAgain("the log does not accept facts at the moment; try again", writer.append(event))
        if (creates) {
          yield* orTryAgain("the log does not accept facts at the moment; try again", writer.announce(matchId))
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

/** Directly before the newest frame, so that a stream without a cursor starts with it. */
const beforeNewest = ({ newest }: MatchRoom) => (newest === undefined ? { epoch: 0, seq: 0 } : { epoch: newest.epoch, seq: newest.seq - 1 })

const Frames = framesOf(anyFrameParts)
type Delta = typeof Frames.LiveDelta.Type
type Snapshot = typeof Frames.CompactSnapshot.Type
/** Not validated: the game's contract has built it, and the RPC server encodes it with its schema. */
type Document = Readonly<Record<string, unknown>>

const rowOf = ({ frame, state }: FrameViews): Document => frame.game.rowOf(state)
const updateOf = ({ event, frame, head, match }: FrameViews) => ({
  type: frameNames(frame.game.game).update,
  ...head,
  matchId: frame.matchId,
  event: event as Document | null,
  data: match as Document,
})
const deltaOf = (frame: Frame): Delta => JSON.parse(text.decode(frame.record.delta))
