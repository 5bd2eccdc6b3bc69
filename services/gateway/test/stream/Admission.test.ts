/**
 * The time at which a handshake is decided. An upgrade after the turn in which the request arrived triggers a defect of
 * the native library, see decide.ts.
 */
import { assert, it } from "@effect/vitest"
import { AccountId, ApiKeyId, type Customer, termsOf } from "@matchpoint/domain/accounts"
import { StreamLimits } from "@matchpoint/metering/counts/StreamLimits"
import * as LedgerMemory from "@matchpoint/metering/LedgerMemory"
import { Meter } from "@matchpoint/metering/Meter"
import { StreamMeter } from "@matchpoint/metering/StreamMeter"
import { ApiKeys } from "@matchpoint/store/keys/ApiKeys"
import { accept } from "@matchpoint/uws/ConnectDecision"
import type { UpgradeRequest } from "@matchpoint/uws/UpgradeRequest"
import { Effect, Fiber, Layer, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { Authenticator } from "../../src/keys/Authenticator.ts"
import { Admission } from "../../src/stream/Admission.ts"
import { socketChannel } from "../../src/stream/channels.ts"
import { KeyWatch } from "../../src/stream/KeyWatch.ts"
import { OpenStreams } from "../../src/stream/OpenStreams.ts"

const id = "00000000-0000-4000-8000-000000000001"
const customer: Customer = { keyId: ApiKeyId.make(id), accountId: AccountId.make(id), ...termsOf("scale") }
const SECRET = "mp_known"

/** A store that answers within 50 ms. The key is valid unless it is revoked. */
class Store {
  lookups = 0
  isRevoked = false

  readonly layer = Layer.succeed(
    ApiKeys,
    ApiKeys.of({
      current: (keyIds) => Effect.delay(Effect.succeed(this.isRevoked || !keyIds.includes(customer.keyId) ? [] : [customer]), "50 millis"),
      verify: (secret) => {
        this.lookups += 1
        return Effect.delay(
          Effect.sync(() => (this.isRevoked || Redacted.value(secret) !== SECRET ? Option.none() : Option.some(customer))),
          "50 millis",
        )
      },
    }),
  )
}

const world = (store: Store) =>
  Layer.merge(Admission.layer, KeyWatch.layer).pipe(
    Layer.provideMerge(Authenticator.layer),
    Layer.provideMerge(OpenStreams.layer),
    Layer.provide(StreamLimits.layer),
    Layer.provide(StreamMeter.layer),
    Layer.provide(Meter.layer),
    Layer.provide(LedgerMemory.layer(1_000_000)),
    Layer.provide(store.layer),
  )

const request = {
  headers: { "x-api-key": SECRET },
  query: new URLSearchParams(),
  remoteAddress: "192.0.2.1",
} as unknown as UpgradeRequest

const handshake = Effect.flatMap(Admission, (admission) =>
  admission.handshake(request, socketChannel(undefined), () => Effect.succeed((ticket) => accept(ticket))),
)

/** The verdict, if it was available at the end of the handshake's turn. */
const atOnce = Effect.map(Effect.context<Admission>(), (context) => {
  const fiber = Effect.runForkWith(context)(handshake)
  return { fiber, exit: fiber.pollUnsafe() }
})

it.effect("decides within the turn of the handshake if the key is cached", () => {
  const store = new Store()
  return Effect.gen(function* () {
    const first = yield* atOnce
    assert.isUndefined(first.exit)
    yield* TestClock.adjust("50 millis")
    assert.strictEqual((yield* Fiber.join(first.fiber))._tag, "Accept")
    assert.strictEqual((yield* atOnce).exit?._tag, "Success")
    assert.strictEqual(store.lookups, 1)
  }).pipe(Effect.provide(world(store)))
})

it.effect("keeps deciding immediately while the key has an open stream, even if it was not used for an hour", () => {
  const store = new Store()
  return Effect.gen(function* () {
    const first = yield* atOnce
    yield* TestClock.adjust("50 millis")
    yield* Fiber.join(first.fiber)
    for (const later of ["1 minute", "5 seconds", "1 hour"] as const) {
      yield* TestClock.adjust(later)
      assert.strictEqual((yield* atOnce).exit?._tag, "Success")
    }
    assert.strictEqual(store.lookups, 1)
  }).pipe(Effect.provide(world(store)))
})

it.effect("rejects a revoked key within seconds, even if it had an open stream", () => {
  const store = new Store()
  return Effect.gen(function* () {
    const first = yield* atOnce
    yield* TestClock.adjust("50 millis")
    yield* Fiber.join(first.fiber)
    yield* TestClock.adjust("1 minute")
    store.isRevoked = true
    yield* TestClock.adjust("4 seconds")
    const { fiber } = yield* atOnce
    yield* TestClock.adjust("50 millis")
    assert.strictEqual((yield* Fiber.join(fiber))._tag, "Reject")
  }).pipe(Effect.provide(world(store)))
})
