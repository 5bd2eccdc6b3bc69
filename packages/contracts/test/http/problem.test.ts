import { assert, it } from "@effect/vitest"
import { type ErrorCode, errorStatus, QuotaExceeded, TooManyHandshakes, ValidationError } from "@matchpoint/contracts/http/errors"
import { Problem, problemOf, retryAfterOf, wantsProblem } from "@matchpoint/contracts/http/problem"
import { Effect, Schema } from "effect"

const codes = Object.keys(errorStatus).filter((code): code is ErrorCode => Object.hasOwn(errorStatus, code))

it("returns problems if Accept names problem+json with at least the quality of JSON", () => {
  const asking = [
    "application/problem+json",
    "application/problem+json, */*",
    "application/json, application/problem+json",
    "Application/Problem+JSON",
    "application/problem+json;q=0.5, application/json;q=0.4",
    "application/problem+json;q=0.5, text/html",
    "application/problem+json;q=0.3, application/*;q=0.2",
    "application/vnd.svc.cs2.v2+json, application/problem+json",
    "application/problem+json;charset=utf-8;q=1.000",
  ]
  const others = [
    undefined,
    "",
    "*/*",
    "application/json",
    "application/*",
    "application/problem+json;q=0",
    "application/problem+json;q=0.9, application/json",
    "application/problem+json;q=0.5, application/*;q=0.8",
    "application/problem+json;q=0.5, */*",
    "application/problem+json;q=much",
    "application/problem+json;q=-1",
    "application/problem+jsonx",
    "text/html, problem+json",
  ]
  for (const accept of asking) assert.isTrue(wantsProblem(accept), accept)
  for (const accept of others) assert.isFalse(wantsProblem(accept), String(accept))
})

it.effect.prop("accepts any Accept header", { accept: Schema.String }, ({ accept }) =>
  Effect.sync(() => {
    assert.isBoolean(wantsProblem(accept))
    assert.isBoolean(wantsProblem(`application/problem+json${accept}`))
  }),
)

it.effect.prop(
  "a problem has the code, message and details of the envelope",
  { code: Schema.Literals(codes), message: Schema.String, details: Schema.Json },
  ({ code, details, message }) =>
    Effect.gen(function* () {
      const problem = problemOf({ success: false, error: { code, message, details } }, "7-a")
      const sent = JSON.parse(JSON.stringify(problem))
      assert.deepStrictEqual(yield* Schema.decodeUnknownEffect(Problem)(sent), sent)
      assert.strictEqual(problem.status, errorStatus[code])
      assert.strictEqual(problem.detail, message)
      assert.deepStrictEqual(problem.details, details)
      assert.strictEqual(problem.instance, "urn:matchpoint:request:7-a")
      assert.match(problem.title, /^[A-Z][A-Za-z ]+$/)
    }),
)

it("Retry-After is taken from the details, with a default of 5 seconds", () => {
  const now = Date.UTC(2026, 10, 30, 23, 59)
  assert.strictEqual(retryAfterOf(QuotaExceeded.of("free", 500, Date.UTC(2026, 11, 1), now)), 60)
  assert.strictEqual(retryAfterOf(TooManyHandshakes.from(50)), 5)
  assert.isUndefined(retryAfterOf(ValidationError.because("no", { retryAfterSeconds: 3 })))
})
