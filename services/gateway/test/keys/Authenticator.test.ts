/** The key cache, with a store that the test controls. */
import { assert, it } from "@effect/vitest"
import { InvalidApiKey, ServiceUnavailable, TooManyHandshakes } from "@matchpoint/contracts/http/errors"
import { AccountId, ApiKeyId, type Customer, termsOf } from "@matchpoint/domain/accounts"
import type { Plan } from "@matchpoint/domain/plans"
import { ApiKeys } from "@matchpoint/store/keys/ApiKeys"
import { StoreError } from "@matchpoint/store/StoreError"
import { Duration, Effect, Fiber, Layer, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { Authenticator } from "../../src/keys/Authenticator.ts"

const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`

const customerOf = (n: number, plan: Plan): Customer => ({
  keyId: ApiKeyId.make(idOf(n)),
  accountId: AccountId.make(idOf(n)),
  ...termsOf(plan),
})

class Store {
  readonly keys = new Map<string, Customer>()
  /** Number of queries for single secrets. */
  lookups = 0
  /** Number of keys in each query for many keys. */
  readonly renewals: Array<number> = []
  isDown = false
  delay: Duration.Input = 0

  readonly layer = Layer.succeed(
    ApiKeys,
    ApiKeys.of({
      current: (keyIds) =>
        this.#answer(() => {
          this.renewals.push(keyIds.length)
          return [...this.keys.values()].filter(({ keyId }) => keyIds.includes(keyId))
        }),
      verify: (secret) =>
        this.#answer(() => {
          this.lookups += 1
          return Option.fromUndefinedOr(this.keys.get(Redacted.value(secret)))
        }),
    }),
  )

  /** Returns the state at the time of the query, after the delay. */
  #answer<A>(look: () => A): Effect.Effect<A, StoreError> {
    return Effect.suspend(() => {
      const found = look()
      const error = new StoreError({ operation: "look", cause: Object.assign(new Error("gone"), { name: "TimeoutError" }) })
      const answer = this.isDown ? Effect.fail(error) : Effect.succeed(found)
      return Duration.toMillis(this.delay) === 0 ? answer : Effect.delay(answer, this.delay)
    })
  }
}

const withStore = <A, E>(use: (store: Store, authenticator: Authenticator["Service"]) => Effect.Effect<A, E, never>) =>
  Effect.suspend(() => {
    const store = new Store()
    return Effect.flatMap(Authenticator, (authenticator) => use(store, authenticator)).pipe(
      Effect.provide(Authenticator.layer.pipe(Layer.provide(store.layer))),
    )
  })

const secretOf = (text: string) => Redacted.make(text)

it.effect("queries a key in use every two seconds and waits only for the first query", () =>
  withStore((store, { authenticate }) =>
    Effect.gen(function* () {
      store.keys.set("pro", customerOf(1, "pro"))
      store.delay = "100 millis"
      const first = yield* Effect.forkChild(authenticate(secretOf("pro")))
      yield* TestClock.adjust("100 millis")
      assert.strictEqual((yield* Fiber.join(first)).plan, "pro")
      for (let tenth = 0; tenth < 100; tenth++) {
        yield* TestClock.adjust("100 millis")
        // A result that had to be waited for would not arrive here, because the clock stands still.
        assert.strictEqual((yield* authenticate(secretOf("pro"))).plan, "pro")
      }
      assert.strictEqual(store.lookups, 1)
      assert.isAtLeast(store.renewals.length, 3)
      assert.isAtMost(store.renewals.length, 5)
    }),
  ),
)

it.effect("refreshes the keys in use in one query, without the unused ones", () =>
  withStore((store, { authenticate }) =>
    Effect.gen(function* () {
      const names = Array.from({ length: 300 }, (_, n) => `key ${n}`)
      for (const [n, name] of names.entries()) store.keys.set(name, customerOf(n, "pro"))
      const use = (count: number) => Effect.forEach(names.slice(0, count), (name) => authenticate(secretOf(name)))
      yield* use(300)
      const met = yield* use(300)
      for (let tenth = 0; tenth < 23; tenth++) {
        yield* TestClock.adjust("100 millis")
        yield* use(200)
      }
      assert.deepStrictEqual(store.renewals, [200])
      assert.strictEqual(store.lookups, 300)
      // Nothing has changed, so the cached instances are kept.
      const again = yield* use(200)
      assert.isTrue(again.every((customer, n) => customer === met[n]))
    }),
  ),
)

it.effect("applies the result of a refresh immediately", () =>
  withStore((store, { authenticate }) =>
    Effect.gen(function* () {
      for (const [n, name] of ["gone", "better", "same"].entries()) store.keys.set(name, customerOf(n, "pro"))
      const use = Effect.forEach(["gone", "better", "same"], (name) => Effect.option(authenticate(secretOf(name))))
      yield* use
      store.keys.delete("gone")
      store.keys.set("better", customerOf(1, "scale"))
      yield* TestClock.adjust("2 seconds")
      yield* use
      yield* TestClock.adjust("250 millis")
      const [gone, better, same] = yield* use
      assert.isTrue(gone !== undefined && Option.isNone(gone))
      assert.deepStrictEqual(
        [better, same].map((one) => one?.pipe(Option.getOrUndefined)?.plan),
        ["scale", "pro"],
      )
      assert.strictEqual(store.lookups, 3)
    }),
  ),
)

it.effect("refreshes keys again after a refresh that failed", () =>
  withStore((store, { authenticate }) =>
    Effect.gen(function* () {
      store.keys.set("pro", customerOf(1, "pro"))
      yield* authenticate(secretOf("pro"))
      store.isDown = true
      yield* TestClock.adjust("2 seconds")
      yield* authenticate(secretOf("pro"))
      yield* TestClock.adjust("250 millis")
      store.isDown = false
      store.keys.delete("pro")
      // The store is not queried for a second after a failure.
      assert.strictEqual((yield* authenticate(secretOf("pro"))).plan, "pro")
      yield* TestClock.adjust("1 second")
      yield* authenticate(secretOf("pro"))
      yield* TestClock.adjust("250 millis")
      assert.instanceOf(yield* Effect.flip(authenticate(secretOf("pro"))), InvalidApiKey)
      assert.deepStrictEqual([store.renewals, store.lookups], [[1, 1], 1])
    }),
  ),
)

it.effect("rejects a revoked key and applies a new plan within four seconds", () =>
  withStore((store, { authenticate }) =>
    Effect.gen(function* () {
      store.keys.set("gone", customerOf(1, "pro"))
      store.keys.set("better", customerOf(2, "free"))
      yield* authenticate(secretOf("gone"))
      yield* authenticate(secretOf("better"))
      store.keys.delete("gone")
      store.keys.set("better", customerOf(2, "scale"))
      yield* TestClock.adjust("4 seconds")
      assert.instanceOf(yield* Effect.flip(authenticate(secretOf("gone"))), InvalidApiKey)
      assert.strictEqual((yield* authenticate(secretOf("better"))).plan, "scale")
    }),
  ),
)

it.effect("measures the age of a result from the start of its query", () =>
  withStore((store, { authenticate }) =>
    Effect.gen(function* () {
      store.keys.set("pro", customerOf(1, "pro"))
      store.delay = "2900 millis"
      const first = yield* Effect.forkChild(authenticate(secretOf("pro")))
      yield* TestClock.adjust("2900 millis")
      yield* Fiber.join(first)
      store.keys.delete("pro")
      store.delay = 0
      yield* TestClock.adjust("1100 millis")
      assert.instanceOf(yield* Effect.flip(authenticate(secretOf("pro"))), InvalidApiKey)
    }),
  ),
)

it.effect("queries a forgotten key at its next use, and discards the result of an earlier query", () =>
  withStore((store, { authenticate, forget }) =>
    Effect.gen(function* () {
      store.keys.set("pro", customerOf(1, "pro"))
      const { keyId } = yield* authenticate(secretOf("pro"))
      yield* TestClock.adjust("2500 millis")
      store.delay = "500 millis"
      // Starts a background query whose result arrives after the key was removed.
      yield* authenticate(secretOf("pro"))
      yield* TestClock.adjust("300 millis")
      assert.deepStrictEqual(store.renewals, [1])
      forget(keyId)
      yield* TestClock.adjust("500 millis")
      store.keys.delete("pro")
      store.delay = 0
      assert.instanceOf(yield* Effect.flip(authenticate(secretOf("pro"))), InvalidApiKey)
    }),
  ),
)

it.effect("makes one query for a thousand requests with a new key, even if the first request is interrupted", () =>
  withStore((store, { authenticate }) =>
    Effect.gen(function* () {
      store.keys.set("pro", customerOf(1, "pro"))
      store.delay = "1 second"
      const first = yield* Effect.forkChild(authenticate(secretOf("pro")))
      const others = yield* Effect.forEach(Array.from({ length: 1_000 }), () => Effect.forkChild(authenticate(secretOf("pro"))))
      yield* Effect.yieldNow
      yield* Fiber.interrupt(first)
      yield* TestClock.adjust("1 second")
      for (const fiber of others) assert.strictEqual((yield* Fiber.join(fiber)).plan, "pro")
      assert.strictEqual(store.lookups, 1)
    }),
  ),
)

it.effect("serves thousands of clients that reconnect at once with different keys, none of them cached", () =>
  withStore((store, { authenticate }) =>
    Effect.gen(function* () {
      const many = 1_500
      for (let n = 0; n < many; n++) store.keys.set(`key ${n}`, customerOf(n, "pro"))
      store.delay = "2 seconds"
      const clients = yield* Effect.forEach(
        Array.from({ length: many }, (_, n) => n),
        (n) => Effect.forkChild(authenticate(secretOf(`key ${n}`), () => `192.0.2.${n % 8}`)),
      )
      yield* Effect.yieldNow
      yield* TestClock.adjust("2 seconds")
      for (const [n, fiber] of clients.entries()) assert.strictEqual((yield* Fiber.join(fiber)).keyId, customerOf(n, "pro").keyId)
    }),
  ),
)

it.effect("limits unknown keys per address, makes no query beyond the limit, and keeps all customers cached", () =>
  withStore((store, { authenticate }) =>
    Effect.gen(function* () {
      store.keys.set("pro", customerOf(1, "pro"))
      yield* authenticate(secretOf("pro"))
      const before = store.lookups
      const refusals = yield* Effect.forEach(Array.from({ length: 30_000 }), (_, n) =>
        Effect.flip(authenticate(secretOf(`guess ${n}`), () => "203.0.113.7")),
      )
      assert.strictEqual(refusals.filter((error) => error instanceof InvalidApiKey).length, 50)
      assert.isTrue(refusals.slice(50).every((error) => error instanceof TooManyHandshakes))
      assert.strictEqual(store.lookups - before, 50)
      // Another address is not limited, and the same address may still use a known key.
      assert.instanceOf(yield* Effect.flip(authenticate(secretOf("guess"), () => "203.0.113.8")), InvalidApiKey)
      assert.strictEqual((yield* authenticate(secretOf("pro"), () => "203.0.113.7")).plan, "pro")
      // Without an address, nothing is counted. The cache of rejected keys is bounded.
      for (let n = 0; n < 15_000; n++) yield* Effect.exit(authenticate(secretOf(`more ${n}`)))
      const lookups = store.lookups
      yield* authenticate(secretOf("pro"))
      assert.strictEqual(store.lookups, lookups)
      // A repeated wrong key causes no query.
      yield* Effect.exit(authenticate(secretOf("more 14999")))
      assert.strictEqual(store.lookups, lookups)
      yield* TestClock.adjust("10 seconds")
      assert.instanceOf(yield* Effect.flip(authenticate(secretOf("guess 99999"), () => "203.0.113.7")), InvalidApiKey)
    }),
  ),
)

it.effect("counts guesses whose check takes too long, and those for which the client does not wait", () =>
  withStore((store, { authenticate }) =>
    Effect.gen(function* () {
      store.delay = "1 minute"
      const guessing = (n: number) => authenticate(secretOf(`guess ${n}`), () => "203.0.113.7")
      const late = yield* Effect.forkChild(Effect.flip(guessing(0)), { startImmediately: true })
      yield* TestClock.adjust("5 seconds")
      assert.instanceOf(yield* Fiber.join(late), ServiceUnavailable)
      for (let n = 1; n < 60; n++) {
        const left = yield* Effect.forkChild(guessing(n), { startImmediately: true })
        yield* Fiber.interrupt(left)
      }
      store.delay = 0
      assert.instanceOf(yield* Effect.flip(guessing(60)), TooManyHandshakes)
    }),
  ),
)

it.effect("admits many customers that connect at once from the same address", () =>
  withStore((store, { authenticate }) =>
    Effect.gen(function* () {
      for (let n = 0; n < 500; n++) store.keys.set(`key ${n}`, customerOf(n, "pro"))
      store.delay = "50 millis"
      const all = yield* Effect.forEach(Array.from({ length: 500 }), (_, n) =>
        Effect.forkChild(authenticate(secretOf(`key ${n}`), () => "203.0.113.7")),
      )
      yield* TestClock.adjust("50 millis")
      for (const fiber of all) assert.strictEqual((yield* Fiber.join(fiber)).plan, "pro")
    }),
  ),
)

it.effect("accepts known paid keys during the grace period while the store is down, but no free or new keys", () =>
  withStore((store, { authenticate }) =>
    Effect.gen(function* () {
      store.keys.set("pro", customerOf(1, "pro"))
      store.keys.set("free", customerOf(2, "free"))
      store.keys.set("late", customerOf(3, "scale"))
      yield* authenticate(secretOf("pro"))
      yield* authenticate(secretOf("free"))
      store.isDown = true
      const before = store.lookups
      yield* TestClock.adjust("3 seconds")
      assert.strictEqual((yield* authenticate(secretOf("free"))).plan, "free")
      yield* TestClock.adjust("1 second")
      assert.instanceOf(yield* Effect.flip(authenticate(secretOf("free"))), ServiceUnavailable)
      assert.instanceOf(yield* Effect.flip(authenticate(secretOf("late"))), ServiceUnavailable)
      for (let second = 5; second < 300; second++) {
        yield* TestClock.adjust("1 second")
        for (let n = 0; n < 10; n++) assert.strictEqual((yield* authenticate(secretOf("pro"))).plan, "pro")
      }
      // At most one query per second, however many requests arrive.
      assert.isAtMost(store.lookups - before, 300)
      yield* TestClock.adjust("6 seconds")
      assert.instanceOf(yield* Effect.flip(authenticate(secretOf("pro"))), ServiceUnavailable)
      store.isDown = false
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* authenticate(secretOf("pro"))).plan, "pro")
      assert.strictEqual((yield* authenticate(secretOf("late"))).plan, "scale")
    }),
  ),
)
