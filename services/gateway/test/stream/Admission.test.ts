/** When a handshake is decided: an upgrade after the turn in which it came meets a defect of the native library, see decide.ts. */
import { assert, it } from "@effect/vitest"
import { AccountId, ApiKeyId, type Customer, termsOf } from "@matchpoint/domain/accounts"
import * as LedgerMemory from "@matchpoint/metering/LedgerMemory"
import { Meter } from "@matchpoint/metering/Meter"
import { StreamMeter } from "@matchpoint/metering/StreamMeter"
import { ApiKeys } from "@matchpoint/store/keys/ApiKeys"
import type { UpgradeRequest } from "@matchpoint/uws/UpgradeRequest"
import { accept } from "@matchpoint/uws/Verdict"
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

/** Answers within 50 ms, as long as the key is there. */
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

/** The verdict, if it was there when the handshake's own turn was over. */
const atOnce = Effect.map(Effect.context<Admission>(), (context) => {
  const fiber = Effect.runForkWith(context)(handshake)
  return { fiber, exit: fiber.pollUnsafe() }
})

it.effect("decides in the turn of the handshake if the key is remembered", () => {
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

it.effect("goes on to decide at once while the key has a stream open, however long it was not used", () => {
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

it.effect("refuses a key that was revoked, within seconds, although a stream of it was open", () => {
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
