/** The intake on a real HTTP server, with a log in memory and an embedded database. */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { EventLog, LogError, type StreamSpec } from "@matchpoint/bus/EventLog"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { Rejections } from "@matchpoint/bus/Rejections"
import { decodeRejection } from "@matchpoint/contracts/bus/feed"
import { FEED, feedSubject, REJECTED, rejectedSubject, streams } from "@matchpoint/contracts/bus/subjects"
import { FEED_ROOT, FEED_TOKEN_HEADER } from "@matchpoint/contracts/http/feed/FactsApi"
import { decodeFeedEvent } from "@matchpoint/cs2/contract/feed"
import type { FeedEvent } from "@matchpoint/cs2/rules/live/feedEvents"
import type { MatchId } from "@matchpoint/domain/ids"
import { FeedConfig, type FeedSettings } from "@matchpoint/game/feed/FeedConfig"
import { Migrations } from "@matchpoint/games/Migrations"
import { FeedTokens } from "@matchpoint/store/keys/FeedTokens"
import { Checkpoints } from "@matchpoint/store/live/Checkpoints"
import { Matches } from "@matchpoint/store/live/Matches"
import { embeddedMemory } from "@matchpoint/testing/databases"
import { Context, Effect, Layer, Redacted, Result, Stream } from "effect"
import { HttpBody, HttpClient, HttpClientRequest, HttpRouter } from "effect/http"
import { intakeRoutes } from "../../src/intakeRoutes.ts"

export const feedToken = "test-feed-token"

/** Makes the log fail or wait, to test the responses to senders. */
export class Weather extends Context.Service<Weather, { refuse: number; hold: Effect.Effect<void>; hasLostLog: boolean }>()(
  "@matchpoint/service-feed/test/intake/intakeServer/Weather",
) {
  static readonly layer = Layer.sync(Weather, () => Weather.of({ refuse: 0, hold: Effect.void, hasLostLog: false }))
}

const logLayer = (specs: ReadonlyArray<StreamSpec>) =>
  Layer.effect(
    EventLog,
    Effect.gen(function* () {
      const first = yield* EventLog
      const second = Context.get(yield* Layer.build(EventLogMemory.layer({ streams: specs })), EventLog)
      const weather = yield* Weather
      const log = () => (weather.hasLostLog ? second : first)
      return EventLog.of({
        consume: (...asked) => Stream.suspend(() => log().consume(...asked)),
        read: (...asked) => Stream.suspend(() => log().read(...asked)),
        last: (...asked) => Effect.suspend(() => log().last(...asked)),
        bounds: (stream) => Effect.suspend(() => log().bounds(stream)),
        now: Effect.suspend(() => log().now),
        append: (subject, id, data) =>
          Effect.suspend(() => {
            if (weather.refuse > 0) {
              weather.refuse -= 1
              const reason = {
                operation: "append",
                target: subject,
                reason: "Unavailable",
                retryable: true,
                detail: "bad weather",
              } as const
              return Effect.fail(new LogError(reason))
            }
            return Effect.andThen(weather.hold, log().append(subject, id, data))
          }),
      })
    }),
  ).pipe(Layer.provide(EventLogMemory.layer({ streams: specs })))

const StoreLayer = Layer.mergeAll(Matches.layer, Checkpoints.layer, FeedTokens.layer).pipe(
  Layer.provide(Migrations.layer),
  Layer.provide(embeddedMemory),
)

/** `store` is the register. With a simulated clock it must not be a database, which waits in real time. */
export const intakeServer = (
  settings: Partial<FeedSettings> = {},
  store: Layer.Layer<Matches | Checkpoints | FeedTokens, Layer.Error<typeof StoreLayer>> = StoreLayer,
  specs: ReadonlyArray<StreamSpec> = streams,
) =>
  HttpRouter.serve(intakeRoutes(), { disableLogger: true, disableListenLog: true }).pipe(
    Layer.provideMerge(NodeHttpServer.layerTest),
    Layer.provideMerge(Rejections.layer),
    Layer.provideMerge(logLayer(specs)),
    Layer.provideMerge(store),
    Layer.provideMerge(Weather.layer),
    Layer.provide(FeedConfig.layer({ token: Redacted.make(feedToken), ...settings })),
  )

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: unknown
}

/** Posts text unchanged and objects as JSON. */
export const post = Effect.fnUntraced(function* (
  path: string,
  content: unknown,
  headers: Record<string, string> = { [FEED_TOKEN_HEADER]: feedToken },
) {
  const client = yield* HttpClient.HttpClient
  const body = typeof content === "string" ? HttpBody.text(content, "text/plain") : HttpBody.jsonUnsafe(content)
  const request = HttpClientRequest.post(`${FEED_ROOT}${path}`, { headers, body })
  const response = yield* client.execute(request)
  const answer: Answer = { status: response.status, headers: response.headers, body: yield* response.json }
  return answer
}, Effect.scoped)

/** Returns the facts of a match in FEED. */
export const factsOf = Effect.fnUntraced(function* (match: MatchId) {
  const log = yield* EventLog
  const records = yield* Stream.runCollect(log.read(FEED, feedSubject(match), { _tag: "First" }))
  return records.map((record): FeedEvent => Result.getOrThrow(decodeFeedEvent(record.data)))
})

const SENTINEL = "sentinel"
let sentinels = 0

/**
 * Returns all rejections so far. They are stored in order and in the background, so this records one more and waits for
 * it.
 */
export const rejected = Effect.gen(function* () {
  const log = yield* EventLog
  const rejections = yield* Rejections
  sentinels += 1
  const last = `${SENTINEL}:${sentinels}`
  const empty = { matchId: null, factId: null, type: null, message: "", receivedAt: 0, raw: "" }
  yield* rejections.record(last, { ...empty, code: SENTINEL })
  yield* log.consume(REJECTED, rejectedSubject, { _tag: "First" }).pipe(
    Stream.takeUntil(({ id }) => id === last),
    Stream.runDrain,
  )
  const records = yield* Stream.runCollect(log.read(REJECTED, rejectedSubject, { _tag: "First" }))
  const text = new TextDecoder()
  const decoded = yield* Effect.forEach(records, (record) => decodeRejection(text.decode(record.data)))
  return decoded.filter(({ code }) => code !== SENTINEL)
})
