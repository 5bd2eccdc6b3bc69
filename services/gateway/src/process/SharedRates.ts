/** The token buckets of rate limits: in memory for a single gateway, or in Redis. */
import { Cause, Effect, Layer, Option, Redacted, Schema } from "effect"
import { RateLimiter } from "effect/persistence"
import { GatewayOperatorConfig } from "./gatewaySettings.ts"

export class RedisUnreachable extends Schema.TaggedError<RedisUnreachable>()("RedisUnreachable", {
  message: Schema.String,
  cause: Schema.Defect(),
}) {}

const CONNECT_WITHIN_MS = 5_000
/**
 * Commands that wait for a Redis server that has stopped responding. Further ones fail, and each gateway then limits
 * request rates on its own.
 */
const WAITING_COMMANDS = 10_000

export const SharedRates = Layer.unwrap(
  Effect.map(GatewayOperatorConfig, ({ redisUrl }) =>
    RateLimiter.layer.pipe(
      Layer.provide(
        Option.match(redisUrl, {
          onNone: () => RateLimiter.layerStoreMemory,
          onSome: (url) => RateLimiter.layerStoreRedis({ prefix: "matchpoint:rates:" }).pipe(Layer.provide(redis(url))),
        }),
      ),
    ),
  ),
)

/**
 * Fails with an error for operators if Redis cannot be used. The client is loaded only here, because most servers have
 * no Redis and its client has 650 modules.
 */
export const redis = (url: Redacted.Redacted<string>) =>
  Layer.unwrap(
    Effect.map(
      Effect.promise(() => import("@effect/platform-node/NodeRedis")),
      (NodeRedis) =>
        NodeRedis.layer({
          url: Redacted.value(url),
          socket: { connectTimeout: CONNECT_WITHIN_MS },
          // Commands fail immediately while Redis is disconnected, so that no request waits for the connection.
          disableOfflineQueue: true,
          commandsQueueMaxLength: WAITING_COMMANDS,
        }),
    ),
  ).pipe(
    Layer.catchCause((cause) =>
      Layer.effectContext(
        Effect.fail(new RedisUnreachable({ message: failureText(url, Cause.squash(cause)), cause: Cause.squash(cause) })),
      ),
    ),
  )

/** Error message without the password that the URL may contain. */
const failureText = (url: Redacted.Redacted<string>, error: unknown): string => {
  const address = URL.parse(Redacted.value(url))
  if (address === null) return "REDIS_URL must be an address such as redis://localhost:6379"
  const reason = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : ""
  return `the Redis at ${address.protocol}//${address.host} cannot be used${reason}; start or fix it, or unset REDIS_URL so that each gateway limits requests on its own`
}
