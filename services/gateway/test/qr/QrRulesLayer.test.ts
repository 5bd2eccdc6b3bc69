/** Failures of the server in the format of the QR section. */
import { assert, it } from "@effect/vitest"
import { QrBusy, QrFailed, QrInvalid } from "@matchpoint/contracts/http/qr/qrErrors"
import { Effect, References } from "effect"
import { HttpServerResponse } from "effect/http"
import { qrRules } from "../../src/qr/QrRulesLayer.ts"

it.effect("a defect becomes the error 500 without internal details", () =>
  Effect.gen(function* () {
    const error = yield* Effect.flip(qrRules(Effect.die(new Error("secret detail"))))
    assert.instanceOf(error, QrFailed)
    assert.notInclude(JSON.stringify(error), "secret")
  }).pipe(Effect.provideService(References.MinimumLogLevel, "None")),
)

it.effect("an overload becomes 503 with Retry-After", () =>
  Effect.gen(function* () {
    const response = yield* qrRules(Effect.fail(QrBusy.because("wait")))
    assert.strictEqual(response.status, 503)
    assert.strictEqual(response.headers["retry-after"], "1")
    const text = response.body._tag === "Uint8Array" ? new TextDecoder().decode(response.body.body) : ""
    assert.deepStrictEqual(JSON.parse(text), { success: false, error: "wait" })
  }),
)

it.effect("other errors and responses pass unchanged", () =>
  Effect.gen(function* () {
    const invalid = QrInvalid.because("advice")
    assert.strictEqual(yield* Effect.flip(qrRules(Effect.fail(invalid))), invalid)
    const response = HttpServerResponse.empty({ status: 304 })
    assert.strictEqual(yield* qrRules(Effect.succeed(response)), response)
  }),
)
