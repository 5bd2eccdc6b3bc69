/** Connections, time and random numbers for a follower, from the services of the fiber that reads the stream. */
import { monotonicOf } from "@matchpoint/domain/monotonic"
import { Clock, Effect, Random, Redacted, Stream } from "effect"
import { type HttpClient, HttpClientRequest } from "effect/http"
import { apiRootOf } from "../follow/channel.ts"
import type { Http } from "../plain/Http.ts"
import type { Runtime } from "../plain/Runtime.ts"
import type { Timing } from "../plain/Timing.ts"
import type { MatchpointOptions } from "./Matchpoint.ts"

/** Statuses with which a `Response` must have no body. */
const withoutBody: ReadonlySet<number> = new Set([204, 205, 304])

/** `client` must already add the API key. */
export const runtimeOf = Effect.fnUntraced(function* (
  { apiKey, baseUrl, webSocket }: MatchpointOptions,
  client: HttpClient.HttpClient,
): Effect.fn.Return<Runtime> {
  const root = apiRootOf(baseUrl)
  const context = yield* Effect.context<never>()
  const get: Http["get"] = (path, { headers, signal }) => {
    // Aborting the signal also ends a response that is being read.
    const response = Effect.map(client.execute(HttpClientRequest.get(root + path, { headers })), ({ headers, status, stream }) => {
      const body = withoutBody.has(status) ? null : Stream.toReadableStreamWith(stream, context, { signal })
      return new Response(body, { headers, status })
    })
    return Effect.runPromiseWith(context)(response, { signal })
  }
  return { http: { root, apiKey: Redacted.value(apiKey), get }, timing: yield* timing, webSocket }
})

/** Uses the clock of the fiber. */
export const timing: Effect.Effect<Timing> = Effect.gen(function* () {
  const runCallback = Effect.runCallbackWith(yield* Effect.context<never>())
  const clock = yield* Clock.Clock
  const random = yield* Random.Random
  const monotonic = monotonicOf(clock)
  return {
    epochMs: () => clock.currentTimeMillisUnsafe(),
    random: () => random.nextDoubleUnsafe(),
    startStopwatch: () => {
      const startedAt = monotonic()
      return () => monotonic() - startedAt
    },
    // Some clocks return from a sleep of 0 ms at once, but `action` must not be called before `after` has returned.
    after: (ms, action) => runCallback(Effect.sleep(ms).pipe(Effect.andThen(Effect.yieldNow), Effect.andThen(Effect.sync(action)))),
  }
})
