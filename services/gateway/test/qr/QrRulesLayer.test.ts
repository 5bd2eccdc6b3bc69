/** Failures of the server in the format of the QR section. */
import { assert, it } from "@effect/vitest"
import { QrApi } from "@matchpoint/contracts/http/qr/QrApi"
import { QrRules } from "@matchpoint/contracts/http/qr/QrRules"
import { QrBusy, QrFailed, QrInvalid } from "@matchpoint/contracts/http/qr/qrErrors"
import { Effect, References } from "effect"
import { HttpServerResponse } from "effect/http"
import { QrRulesLayer } from "../../src/qr/QrRulesLayer.ts"

const context = { endpoint: QrApi.endpoints.read, group: QrApi }

it.effect("a defect becomes the error 500 without internal details", () =>
  Effect.gen(function* () {
    const rules = yield* QrRules
    const error = yield* Effect.flip(rules(Effect.die(new Error("secret detail")), context))
    assert.instanceOf(error, QrFailed)
    assert.notInclude(JSON.stringify(error), "secret")
  }).pipe(Effect.provide(QrRulesLayer), Effect.provideService(References.MinimumLogLevel, "None")),
)

it.effect("an overload becomes 503 with Retry-After", () =>
  Effect.gen(function* () {
    const rules = yield* QrRules
    const overloaded = Effect.fail(QrBusy.because("wait")) as Effect.Effect<never, never>
    const response = yield* rules(overloaded, context)
    assert.strictEqual(response.status, 503)
    assert.strictEqual(response.headers["retry-after"], "1")
    assert.deepStrictEqual(JSON.parse(response.body._tag === "Uint8Array" ? new TextDecoder().decode(response.body.body) : ""), {
      success: false,
      error: "wait",
    })
  }).pipe(Effect.provide(QrRulesLayer)),
)

it.effect("other errors and responses pass unchanged", () =>
  Effect.gen(function* () {
    const rules = yield* QrRules
    const invalid = QrInvalid.because("advice")
    const failing = Effect.fail(invalid) as Effect.Effect<never, never>
    assert.strictEqual(yield* Effect.flip(rules(failing, context)), invalid)
    const response = HttpServerResponse.empty({ status: 304 })
    assert.strictEqual(yield* rules(Effect.succeed(response), context), response)
  }).pipe(Effect.provide(QrRulesLayer)),
)
