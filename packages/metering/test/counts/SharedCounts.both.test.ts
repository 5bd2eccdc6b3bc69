import * as NodeRedis from "@effect/platform-node/NodeRedis"
import { describe, layer } from "@effect/vitest"
import { KeyStreamCounts } from "@matchpoint/store/usage/KeyStreamCounts"
import { LedgerTime } from "@matchpoint/store/usage/LedgerTime"
import { onDatabaseOfRun } from "@matchpoint/testing/bothRuns"
import { inRealTime } from "@matchpoint/testing/realTime"
import { Effect, Layer } from "effect"
import { inject } from "vitest"
import { SharedCountsError } from "../../src/counts/SharedCounts.ts"
import { CountsBook } from "../../src/counts/SharedCountsMemory.ts"
import { makeSharedCountsRedis, RedisTime } from "../../src/counts/SharedCountsRedis.ts"
import { countsSuite, TestedCounts } from "./countsSuite.ts"

const memory = Layer.sync(TestedCounts, () => {
  const book = new CountsBook()
  let time = 0
  return TestedCounts.of({
    exchange: (gatewayId, claims) => Effect.sync(() => book.exchange(gatewayId, claims, time)),
    leave: (gatewayId) => Effect.sync(() => book.leave(gatewayId, time)),
    spend: (spendings) => Effect.sync(() => book.spend(spendings, time)),
    setTime: (now) => {
      time = now
    },
  })
})

const stored = Layer.effect(
  TestedCounts,
  Effect.gen(function* () {
    let time = 0
    const counts = yield* Effect.provide(KeyStreamCounts, Layer.fresh(KeyStreamCounts.layer)).pipe(
      Effect.provideService(
        LedgerTime,
        Effect.sync(() => time),
      ),
    )
    return TestedCounts.of({
      exchange: (gatewayId, claims) => Effect.mapError(counts.exchange(gatewayId, claims), (cause) => new SharedCountsError({ cause })),
      leave: (gatewayId) => Effect.mapError(counts.leave(gatewayId), (cause) => new SharedCountsError({ cause })),
      spend: (spendings) => Effect.mapError(counts.spend(spendings), (cause) => new SharedCountsError({ cause })),
      setTime: (now) => {
        time = now
      },
    })
  }),
)

const redis = (url: string) =>
  Layer.effect(
    TestedCounts,
    Effect.gen(function* () {
      let time = 0
      const counts = yield* Effect.provideService(
        makeSharedCountsRedis,
        RedisTime,
        Effect.sync(() => time),
      )
      return TestedCounts.of({
        ...counts,
        setTime: (now) => {
          time = now
        },
      })
    }),
  ).pipe(Layer.provide(NodeRedis.layer({ url })))

/** Builds a layer in real time, because connecting takes time and the suite's clock stands still. */
const started = <A, E>(counts: Layer.Layer<A, E>) => Layer.effectContext(inRealTime(Layer.build(counts)))

const long = { timeout: "60 seconds" } as const
const redisUrl = inject("redisUrl")

describe("SharedCounts", () => {
  layer(memory)("in memory", countsSuite)

  onDatabaseOfRun((name, database) => layer(started(Layer.provide(stored, database)), long)(`on ${name}`, countsSuite))

  if (redisUrl !== null) layer(started(redis(redisUrl)), long)("on Redis", countsSuite)
})
