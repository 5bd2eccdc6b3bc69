import { connect, createServer, type Socket } from "node:net"
import * as NodeRedis from "@effect/platform-node/NodeRedis"
import { assert, describe, it } from "@effect/vitest"
import { ApiKeyId } from "@matchpoint/domain/accounts"
import { Context, Effect, Fiber, Layer, Logger, Random, References } from "effect"
import { RateLimiter } from "effect/persistence"
import { TestClock } from "effect/testing"
import { inject } from "vitest"
import { Meter } from "../src/Meter.ts"
import { RateLimits } from "../src/RateLimits.ts"
import { uuidOf } from "../src/uuidOf.ts"
import { customerOf, TestLedger } from "./fixtures.ts"

const memory = RateLimiter.layer.pipe(Layer.provide(RateLimiter.layerStoreMemory))

/** Builds one gateway. All gateways built with the same limiter share it. */
const gateway = Effect.map(
  Layer.build(Layer.fresh(RateLimits.layer.pipe(Layer.provide(Meter.layer), Layer.provide(TestLedger.layer(1_000_000))))),
  (services) => Context.get(services, RateLimits),
)

/** Number of requests accepted when `many` are sent at once. */
const burst = (rates: RateLimits["Service"], customer: Parameters<typeof rates.take>[0], many: number) =>
  Effect.gen(function* () {
    let passed = 0
    for (let n = 0; n < many; n++) {
      if (rates.take(customer) || (yield* Effect.isSuccess(rates.acquire(customer)))) passed += 1
    }
    return passed
  })

/** A limiter whose store can fail, with the number of calls to it. */
const lossy = Effect.gen(function* () {
  const real = yield* RateLimiter.RateLimiter
  const state = { mode: "up" as "up" | "fails" | "silent", asked: 0 }
  const consume: typeof real.consume = (options) =>
    Effect.suspend(() => {
      state.asked += 1
      if (state.mode === "silent") return Effect.never
      if (state.mode === "up") return real.consume(options)
      const reason = new RateLimiter.RateLimitStoreError({ message: "gone" })
      return Effect.fail(new RateLimiter.RateLimiterError({ reason }))
    })
  return { state, limiter: { ...real, consume } }
}).pipe(Effect.provide(memory))

/** Collects log messages about the shared buckets. Messages of the Redis client are left out. */
const spoken = () => {
  const lines: Array<string> = []
  const log = Logger.make(({ message }) => {
    const line = String(Array.isArray(message) ? message[0] : message)
    if (line.includes("shared rate limits")) lines.push(line)
  })
  return { lines, log }
}

describe("RateLimits", () => {
  it.effect("allows a burst of two seconds' worth and refills at the agreed rate", () =>
    Effect.gen(function* () {
      const rates = yield* gateway
      for (const perSecond of [1, 2, 5, 25, 100]) {
        const keyId = ApiKeyId.make(uuidOf(yield* Random.Random))
        const customer = { ...customerOf("pro", 1_000_000, perSecond), keyId }
        assert.strictEqual(yield* burst(rates, customer, perSecond * 5), perSecond * 2, `burst of ${perSecond}`)
        assert.strictEqual(rates.key(customer).remaining, 0)
        yield* TestClock.adjust("1 second")
        assert.strictEqual(yield* burst(rates, customer, perSecond * 5), perSecond, `refill of ${perSecond}`)
        yield* TestClock.adjust("1 minute")
        assert.strictEqual(yield* burst(rates, customer, perSecond * 5), perSecond * 2, `rest of ${perSecond}`)
      }
    }).pipe(Effect.provide(memory)),
  )

  it.effect("limits each key separately, and reports the wait and the remaining requests", () =>
    Effect.gen(function* () {
      const rates = yield* gateway
      const one = customerOf("free", 500, 2)
      const other = { ...one, keyId: ApiKeyId.make("00000000-0000-4000-8000-0000000000ff") }
      assert.strictEqual(rates.key(one).remaining, 2)
      const left: Array<number> = []
      for (let n = 0; n < 4; n++) {
        yield* rates.acquire(one)
        left.push(rates.key(one).remaining)
      }
      assert.deepStrictEqual(left, [2, 2, 1, 0])
      const refusal = yield* Effect.flip(rates.acquire(one))
      assert.deepStrictEqual(refusal.error.details, { limit: "requests_per_second", plan: "free", allowed: 2, retryAfterSeconds: 1 })
      yield* rates.acquire(other)
    }).pipe(Effect.provide(memory)),
  )

  it.effect("refuses a flood with one error, and each key with its own limits", () =>
    Effect.gen(function* () {
      const rates = yield* gateway
      const free = customerOf("free", 500, 2)
      const pro = { ...customerOf("pro", 500, 5), keyId: ApiKeyId.make("00000000-0000-4000-8000-0000000000ff") }
      for (const customer of [free, pro]) yield* burst(rates, customer, 20)
      const refusalOf = (customer: typeof free) => Effect.flip(rates.acquire(customer))
      assert.strictEqual(yield* refusalOf(free), yield* refusalOf(free))
      const refusals = [yield* refusalOf(free), yield* refusalOf(pro), yield* refusalOf(free)]
      assert.deepStrictEqual(
        refusals.map(({ error }) => [error.details.plan, error.details.allowed]),
        [
          ["free", 2],
          ["pro", 5],
          ["free", 2],
        ],
      )
    }).pipe(Effect.provide(memory)),
  )

  it.effect("does not ask the shared buckets while a key is known to exceed its rate", () =>
    Effect.gen(function* () {
      const { limiter, state } = yield* lossy
      const rates = yield* Effect.provideService(gateway, RateLimiter.RateLimiter, limiter)
      const customer = customerOf("pro", 1_000_000, 25)
      yield* burst(rates, customer, 60)
      const before = state.asked
      yield* burst(rates, customer, 1_000)
      assert.strictEqual(state.asked, before)
    }),
  )

  it.effect("asks the shared buckets rarely for an even load, and bounds a burst to two seconds' worth plus one fetch", () =>
    Effect.gen(function* () {
      const { limiter, state } = yield* lossy
      const rates = yield* Effect.provideService(gateway, RateLimiter.RateLimiter, limiter)
      const customer = customerOf("scale", 10_000_000, 500)
      for (let n = 0; n < 200; n++) {
        assert.strictEqual(yield* burst(rates, customer, 1), 1)
        yield* TestClock.adjust("100 millis")
      }
      // 20 seconds with ten requests each.
      assert.isAtMost(state.asked, 5)
      assert.isAtMost(yield* burst(rates, customer, 2_000), 1_250)
    }),
  )

  for (const mode of ["fails", "silent"] as const) {
    it.effect(`limits per gateway while the shared buckets are down (${mode}), logs it once, and recovers`, () => {
      const { lines, log } = spoken()
      return Effect.gen(function* () {
        const { limiter, state } = yield* lossy
        const rates = yield* Effect.provideService(gateway, RateLimiter.RateLimiter, limiter)
        const customer = customerOf("pro", 1_000_000, 5)
        state.mode = mode
        const asking = yield* Effect.forkChild(
          Effect.forEach(Array.from({ length: 30 }), () => Effect.isSuccess(rates.acquire(customer)), { concurrency: 30 }),
        )
        yield* Effect.repeat(TestClock.adjust("100 millis"), { times: 5 })
        const passed = (yield* Fiber.join(asking)).filter((one) => one).length
        assert.isAtLeast(passed, 10)
        assert.isAtMost(passed, 10 + 3)
        const asked = state.asked
        const ask = Effect.forkChild(Effect.exit(rates.acquire(customer)))
        yield* Effect.repeat(Effect.andThen(ask, TestClock.adjust("50 millis")), { times: 100 })
        assert.isAtMost(state.asked - asked, 6)
        assert.strictEqual(lines.length, 1)
        state.mode = "up"
        yield* Effect.repeat(Effect.andThen(ask, TestClock.adjust("100 millis")), { times: 20 })
        assert.strictEqual(lines.length, 2)
      }).pipe(Effect.provide(Logger.layer([log])), Effect.provideService(References.MinimumLogLevel, "Info"))
    })
  }

  it.effect("shares one bucket between two gateways, in memory", () =>
    Effect.gen(function* () {
      const customer = customerOf("pro", 1_000_000, 20)
      // A multiple of the fetch size, so that the first gateway keeps no tokens.
      const one = yield* burst(yield* gateway, customer, 30)
      const other = yield* burst(yield* gateway, customer, 100)
      assert.strictEqual(one + other, 40)
    }).pipe(Effect.provide(memory)),
  )

  const redisUrl = inject("redisUrl")
  it.live.skipIf(redisUrl === null)("shares one bucket between two gateways in Redis, and limits per gateway while Redis is down", () => {
    const { lines, log } = spoken()
    return Effect.gen(function* () {
      const line = yield* cuttableLine(new URL(redisUrl ?? ""))
      const redis = RateLimiter.layer.pipe(
        Layer.provide(RateLimiter.layerStoreRedis({ prefix: `${uuidOf(yield* Random.Random)}:` })),
        Layer.provide(NodeRedis.layer({ url: line.url, socket: { reconnectStrategy: 50 } })),
      )
      const started = Effect.map(Layer.build(Layer.fresh(redis)), (services) => Context.get(services, RateLimiter.RateLimiter))
      const one = yield* Effect.provideServiceEffect(gateway, RateLimiter.RateLimiter, started)
      const other = yield* Effect.provideServiceEffect(gateway, RateLimiter.RateLimiter, started)
      const customer = customerOf("pro", 1_000_000, 50)
      const began = performance.now()
      // A multiple of the fetch size, as in the test in memory.
      const passed = (yield* burst(one, customer, 75)) + (yield* burst(other, customer, 150))
      const refilled = ((performance.now() - began) / 1_000) * 50
      assert.isAtLeast(passed, 95)
      assert.isAtMost(passed, 101 + refilled)
      line.cut()
      yield* Effect.sleep("50 millis")
      const lonely = { ...customer, keyId: ApiKeyId.make("00000000-0000-4000-8000-0000000000fe") }
      assert.isAtLeast(yield* burst(one, lonely, 150), 95)
      assert.isAtLeast(yield* burst(other, lonely, 150), 95)
      assert.strictEqual(lines.length, 2, "each gateway logs it once")
      line.mend()
      yield* Effect.exit(one.acquire(lonely)).pipe(
        Effect.andThen(Effect.sleep("100 millis")),
        Effect.repeat({ until: () => lines.length > 2 }),
        Effect.timeout("20 seconds"),
      )
    }).pipe(Effect.provide(Logger.layer([log])), Effect.provideService(References.MinimumLogLevel, "Info"))
  })
})

/** A TCP proxy to a server that can be cut and restored. */
const cuttableLine = (target: URL) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const sockets = new Set<Socket>()
      let isCut = false
      const server = createServer((client) => {
        if (isCut) return client.destroy()
        const upstream = connect(Number(target.port || 6379), target.hostname)
        for (const [from, to] of [
          [client, upstream],
          [upstream, client],
        ] as const) {
          sockets.add(from)
          from.on("error", () => to.destroy())
          from.on("close", () => sockets.delete(from))
          from.pipe(to)
        }
      })
      const drop = () => {
        for (const socket of sockets) socket.destroy()
      }
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      return {
        url: `redis://127.0.0.1:${port}`,
        cut: () => {
          isCut = true
          drop()
        },
        mend: () => {
          isCut = false
        },
        close: () => {
          drop()
          server.close()
        },
      }
    }),
    (line) => Effect.sync(line.close),
  )
