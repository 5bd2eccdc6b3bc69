/** Open connections, streams and replays of several gateways: in Redis if it is configured, else in PostgreSQL. */
import { SharedCounts } from "@matchpoint/metering/counts/SharedCounts"
import { makeSharedCountsRedis } from "@matchpoint/metering/counts/SharedCountsRedis"
import { Effect, Layer, Option } from "effect"
import { StoredCounts } from "../metering/StoredCounts.ts"
import { GatewayOperatorConfig } from "./gatewaySettings.ts"
import { redis } from "./SharedRates.ts"

export const SharedStreamCounts = Layer.unwrap(
  Effect.map(GatewayOperatorConfig, ({ redisUrl }) =>
    Option.match(redisUrl, {
      onNone: () => StoredCounts,
      onSome: (url) => Layer.effect(SharedCounts, makeSharedCountsRedis).pipe(Layer.provide(redis(url))),
    }),
  ),
)
