/** Tests `GET /cs2/live/{matchId}/socket`: every statement of the descriptor holds for the server that sends it. */
import { assert, it } from "@effect/vitest"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { streams } from "@matchpoint/contracts/bus/subjects"
import { LiveTransport } from "@matchpoint/cs2/contract/http/liveTransport"
import { matchId } from "@matchpoint/cs2/rules/ids"
import { termsOf } from "@matchpoint/domain/accounts"
import { Plan, planTerms } from "@matchpoint/domain/plans"
import { GatewayConfig, type GatewaySettings } from "@matchpoint/game/edge/GatewayConfig"
import { MeteringConfig } from "@matchpoint/metering/MeteringConfig"
import { KeyRegister } from "@matchpoint/store/keys/KeyRegister"
import { embeddedMemory } from "@matchpoint/testing/databases"
import { Effect, Layer, Redacted, Schedule, Schema } from "effect"
import { WebSocket } from "ws"
import { storedMetering } from "../../fixtures/metering/metering.ts"
import { simulatedEvents } from "../../fixtures/simulated.ts"
import { announce, feed, KEY, Stack, stack } from "../../fixtures/stack.ts"
import { ask } from "../../fixtures/twoGateways.ts"

const id = matchId(4_901)
const events = simulatedEvents(49, id)

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Struct({ data: LiveTransport })))

const descriptor = Effect.fnUntraced(function* (headers: Readonly<Record<string, string>> = {}) {
  const { url } = yield* Stack
  const { text } = yield* ask(`${url}/cs2/live/${id}/socket`, { "x-api-key": KEY, ...headers }).pipe(
    Effect.filterOrFail(({ status }) => status === 200),
    Effect.retry(Schedule.spaced("200 millis")),
    Effect.timeout("20 seconds"),
  )
  return decode(text).data.transports
})

const Playing = Layer.effectDiscard(
  Effect.gen(function* () {
    const register = yield* KeyRegister
    for (const plan of Plan.literals) yield* register.put({ secret: Redacted.make(`mp_test_${plan}`), terms: termsOf(plan), label: plan })
    yield* announce(id)
    yield* feed(events.slice(0, 200))
    yield* descriptor()
  }),
)

const settings = (more: Partial<GatewaySettings>) =>
  Layer.effect(
    GatewayConfig,
    Effect.map(GatewayConfig, (defaults) => ({ ...defaults, ...more })),
  )

const server = (more: Partial<GatewaySettings> = {}, enabled = true) =>
  Layer.provideMerge(Playing, stack(EventLogMemory.layer({ streams }), embeddedMemory, storedMetering)).pipe(
    Layer.provide([
      settings(more),
      Layer.effect(
        MeteringConfig,
        Effect.map(MeteringConfig, (defaults) => ({ ...defaults, enabled })),
      ),
    ]),
  )

/** Returns true if the WebSocket opens. */
const opens = (url: string, key: string) =>
  Effect.callback<boolean>((resume) => {
    const socket = new WebSocket(url, { headers: { "x-api-key": key }, handshakeTimeout: 10_000 })
    socket.on("open", () => resume(Effect.succeed(true)))
    socket.on("error", () => resume(Effect.succeed(false)))
    return Effect.sync(() => socket.terminate())
  }).pipe(Effect.scoped)

it.layer(server(), { timeout: "60 seconds", excludeTestServices: true })("the socket descriptor", (it) => {
  it.effect("has an absolute address, which accepts exactly the plans that it lists", () =>
    Effect.gen(function* () {
      const { url } = yield* Stack
      const { websocket } = yield* descriptor()
      assert.strictEqual(websocket.url, `${url.replace("http", "ws")}/cs2/live/ws`)
      for (const plan of Plan.literals) {
        assert.strictEqual(yield* opens(websocket.url, `mp_test_${plan}`), websocket.plans.includes(plan), plan)
      }
      assert.deepStrictEqual(
        websocket.addOnOf,
        Plan.literals.filter((plan) => planTerms[plan].addOns.includes("live-websockets")),
      )
    }),
  )

  it.effect("states the price of a stream", () =>
    Effect.gen(function* () {
      const { sse } = yield* descriptor()
      assert.strictEqual(sse.billing, "one request at connect and one per 15 seconds open")
    }),
  )

  it.effect("ignores headers of a proxy if none is configured", () =>
    Effect.gen(function* () {
      const { url } = yield* Stack
      const { websocket } = yield* descriptor({ "x-forwarded-proto": "https", "x-forwarded-host": "forged.example" })
      assert.strictEqual(websocket.url, `${url.replace("http", "ws")}/cs2/live/ws`)
    }),
  )
})

it.layer(server({ behindProxy: true }, false), { timeout: "60 seconds", excludeTestServices: true })(
  "the socket descriptor behind a proxy, without metering",
  (it) => {
    it.effect("has the proxy's address and states that nothing is counted", () =>
      Effect.gen(function* () {
        const { url } = yield* Stack
        const { sse, websocket } = yield* descriptor({ "x-forwarded-proto": "https", "x-forwarded-host": "forged.example" })
        assert.strictEqual(websocket.url, `${url.replace("http", "wss")}/cs2/live/ws`)
        assert.strictEqual(sse.billing, "free: this server does not count requests")
      }),
    )
  },
)

it.layer(server({ publicUrl: "https://api.example.com" }), { timeout: "60 seconds", excludeTestServices: true })(
  "the socket descriptor of a server with a public address",
  (it) => {
    it.effect("has that address", () =>
      Effect.gen(function* () {
        const { websocket } = yield* descriptor()
        assert.strictEqual(websocket.url, "wss://api.example.com/api/v1/cs2/live/ws")
      }),
    )
  },
)
