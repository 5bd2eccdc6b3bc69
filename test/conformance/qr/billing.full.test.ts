/** What QR codes cost, and that every plan includes them. */
import { assert, it } from "@effect/vitest"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { streams } from "@matchpoint/contracts/bus/subjects"
import { Usage } from "@matchpoint/contracts/http/account/AccountApi"
import { termsOf } from "@matchpoint/domain/accounts"
import { Plan } from "@matchpoint/domain/plans"
import { KeyRegister } from "@matchpoint/store/keys/KeyRegister"
import { embeddedMemory } from "@matchpoint/testing/databases"
import { Effect, Layer, Redacted, Schema } from "effect"
import { storedMetering } from "../../fixtures/metering/metering.ts"
import { Stack, stack } from "../../fixtures/stack.ts"

const Keys = Layer.effectDiscard(
  Effect.gen(function* () {
    const register = yield* KeyRegister
    for (const plan of Plan.literals) {
      yield* register.put({ secret: Redacted.make(`mp_test_${plan}`), terms: termsOf(plan, { requestsPerSecond: 1_000 }), label: plan })
    }
    const used = termsOf("free", { requestsPerMonth: 1, requestsPerSecond: 1_000 })
    yield* register.put({ secret: Redacted.make("mp_test_used"), terms: used, label: "used" })
  }),
)

const ask = Effect.fnUntraced(function* (path: string, key: string, init: RequestInit = {}) {
  const { url } = yield* Stack
  return yield* Effect.promise(async () => {
    const headers = { ...(init.headers as Readonly<Record<string, string>> | undefined), "x-api-key": `mp_test_${key}` }
    const response = await fetch(new URL(`/api/v1${path}`, url), { ...init, headers })
    return { status: response.status, body: Buffer.from(await response.arrayBuffer()).toString() }
  })
})

const usageOf = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Struct({ data: Usage })))

const served = Layer.provideMerge(Keys, stack(EventLogMemory.layer({ streams }), embeddedMemory, storedMetering))

it.layer(served, { timeout: 60_000, excludeTestServices: true })("billing of QR codes", (it) => {
  it.effect("an image costs one request in each plan; 304 and errors cost nothing", () =>
    Effect.gen(function* () {
      const post = (body: object): RequestInit => ({
        method: "POST",
        body: JSON.stringify(body),
        headers: { "content-type": "application/json" },
      })
      for (const plan of Plan.literals) {
        assert.strictEqual((yield* ask("/qr/generate?data=one", plan)).status, 200)
        assert.strictEqual((yield* ask("/qr/generate?data=one", plan, { headers: { "if-none-match": "*" } })).status, 304)
        assert.strictEqual((yield* ask("/qr/generate?data=one&size=1", plan)).status, 400)
        assert.strictEqual((yield* ask("/qr/generate", plan, post({ data: "two", format: "svg" }))).status, 200)
        assert.strictEqual((yield* ask("/qr/generate", plan, post({}))).status, 400)
        const { data } = yield* usageOf((yield* ask("/usage", plan)).body)
        assert.strictEqual(data.requests, 2, plan)
      }
    }),
  )

  it.effect("an account without quota gets 429 in the format of all sections", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* ask("/qr/generate?data=one", "used")).status, 200)
      const { body, status } = yield* ask("/qr/generate?data=one", "used")
      assert.deepStrictEqual([status, JSON.parse(body).error.code], [429, "RATE_LIMIT_EXCEEDED"])
    }),
  )
})
