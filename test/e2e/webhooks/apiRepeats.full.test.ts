/** Repeated creations with an idempotency key, methods, and a server without a key for secrets. */
import { assert, it } from "@effect/vitest"
import { PROBLEM_CONTENT_TYPE, Problem } from "@matchpoint/contracts/http/problem"
import { KeyRegister } from "@matchpoint/store/keys/KeyRegister"
import { WebhookSubscriptions } from "@matchpoint/store/webhooks/WebhookSubscriptions"
import { onDatabaseOfRun } from "@matchpoint/testing/bothRuns"
import { Effect, Redacted, Schema } from "effect"
import { generousTerms } from "../../fixtures/metering/metering.ts"
import {
  assertError,
  manage,
  newKey,
  PUBLIC,
  roots,
  senderOf,
  webhookOf,
  webhookStack,
  webhooksOf,
  withSecretOf,
} from "../../fixtures/webhooks/webhookStack.ts"

const sender = senderOf(new Map([["receiver.test", [PUBLIC]]]))
const wanted = { url: "https://receiver.test/hooks", events: ["match.updated"] }

const createOnce = (key: string, repeatKey: string, body: unknown = wanted) =>
  manage(key, "POST", "", { body, headers: { "idempotency-key": repeatKey } })

onDatabaseOfRun((database, layer) => {
  it.layer(webhookStack(layer, sender), { timeout: 60_000, excludeTestServices: true })(`creating webhooks on ${database}`, (it) => {
    it.effect("again with the same idempotency key returns the same webhook and secret", () =>
      Effect.gen(function* () {
        const key = yield* newKey()
        const first = withSecretOf(yield* createOnce(key, "a")).data
        assert.deepStrictEqual(withSecretOf(yield* createOnce(key, "a")).data, first)
        // The place of the API makes no difference.
        const below = yield* manage(key, "POST", "", { body: wanted, headers: { "Idempotency-Key": "a" } }, roots[1])
        assert.deepStrictEqual(withSecretOf(below).data, first)
        const { message } = assertError(yield* createOnce(key, "a", { ...wanted, description: "other" }), "CONFLICT")
        assert.include(message, "use a new key")
        assert.notStrictEqual(withSecretOf(yield* createOnce(key, "b")).data.id, first.id)
        // Keys of other accounts are independent.
        assert.notStrictEqual(withSecretOf(yield* createOnce(yield* newKey(), "a")).data.id, first.id)
        assert.strictEqual(webhooksOf(yield* manage(key, "GET", "")).meta.total, 2)
        yield* manage(key, "DELETE", `/${first.id}`)
        assert.notStrictEqual(withSecretOf(yield* createOnce(key, "a")).data.id, first.id)
      }),
    )

    it.effect("many times at once with the same idempotency key creates one", () =>
      Effect.gen(function* () {
        const key = yield* newKey()
        const answers = yield* Effect.forEach(Array.from({ length: 20 }), () => createOnce(key, "k".repeat(255)), { concurrency: 20 })
        const created = answers.map((answer) => withSecretOf(answer).data)
        assert.strictEqual(new Set(created.map(({ id, secret }) => `${id} ${secret}`)).size, 1)
        assert.strictEqual(webhooksOf(yield* manage(key, "GET", "")).meta.total, 1)
      }),
    )

    it.effect("rejects invalid idempotency keys", () =>
      Effect.gen(function* () {
        const key = yield* newKey()
        for (const repeatKey of ["", "a b", "k".repeat(256), "\u00e9"]) {
          assertError(yield* createOnce(key, repeatKey), "VALIDATION_ERROR", repeatKey)
        }
        assert.strictEqual(webhooksOf(yield* manage(key, "GET", "")).meta.total, 0)
      }),
    )

    it.effect("reports errors as problem details if the client asks for them", () =>
      Effect.gen(function* () {
        const answer = yield* manage(yield* newKey(), "POST", "", { body: {}, headers: { accept: PROBLEM_CONTENT_TYPE } })
        assert.strictEqual(answer.headers.get("content-type"), PROBLEM_CONTENT_TYPE)
        const problem = Schema.decodeUnknownSync(Schema.fromJsonString(Problem))(answer.text)
        assert.deepInclude(problem, { status: 400, code: "VALIDATION_ERROR" })
      }),
    )

    for (const place of roots) {
      it.effect(`${place.root} answers other methods with 405, and HEAD and OPTIONS without a body`, () =>
        Effect.gen(function* () {
          const key = yield* newKey()
          const { id } = withSecretOf(yield* createOnce(key, "a")).data
          const cases: ReadonlyArray<readonly [method: string, path: string, allow: string]> = [
            ["PUT", "", "GET, HEAD, POST"],
            ["DELETE", "", "GET, HEAD, POST"],
            ["PATCH", "", "GET, HEAD, POST"],
            ["POST", `/${id}`, "DELETE, GET, HEAD, PATCH"],
            ["PUT", `/${id}`, "DELETE, GET, HEAD, PATCH"],
            ["GET", `/${id}/pause`, "POST"],
            ["GET", `/${id}/rotate-secret`, "POST"],
            ["DELETE", `/${id}/deliveries`, "GET, HEAD"],
            ["GET", `/${id}/deliveries/1/resend`, "POST"],
          ]
          for (const [method, path, allow] of cases) {
            const answer = yield* manage(key, method, path, {}, place)
            assertError(answer, "METHOD_NOT_ALLOWED", `${method} ${path}`)
            assert.strictEqual(answer.headers.get("allow")?.split(", ").sort().join(", "), allow, `${method} ${path}`)
          }
          // A slash at the end makes no difference.
          assert.strictEqual(webhookOf(yield* manage(key, "GET", `/${id}/`, {}, place)).data.id, id)
          const { status, text } = yield* manage(key, "HEAD", `/${id}`, {}, place)
          assert.deepStrictEqual({ status, text }, { status: 200, text: "" })
          const page = { origin: "https://example.org", "access-control-request-method": "PATCH" }
          const preflight = yield* manage(null, "OPTIONS", `/${id}`, { headers: page }, place)
          assert.strictEqual(preflight.status, 204)
          assert.strictEqual(preflight.headers.get("access-control-allow-origin"), "*")
          for (const method of ["GET", "POST", "PATCH", "DELETE"]) {
            assert.include(preflight.headers.get("access-control-allow-methods"), method)
          }
          assert.include(preflight.headers.get("access-control-allow-headers"), "idempotency-key")
        }),
      )
    }
  })

  it.layer(webhookStack(layer, sender, null), { timeout: 60_000, excludeTestServices: true })(
    `a server without a key on ${database}`,
    (it) => {
      it.effect("answers 503 to requests that need a secret, and handles the others", () =>
        Effect.gen(function* () {
          const register = yield* KeyRegister
          const { accountId } = yield* register.put({ secret: Redacted.make("mp_no_box"), terms: generousTerms("pro"), label: "test" })
          const id = "00000000-0000-4000-8000-000000000001"
          const settings = { ...wanted, description: "", games: [], matchIds: [], teamIds: [], playerIds: [], maxPerSecond: null }
          const created = { ...settings, subscriptionId: id, secret: new Uint8Array(3), idempotency: undefined }
          yield* Effect.flatMap(WebhookSubscriptions, ({ create }) => create(accountId, created, 1))
          for (const [path, body] of [
            ["", wanted],
            [`/${id}/rotate-secret`, {}],
          ] as const) {
            const { message } = assertError(yield* manage("mp_no_box", "POST", path, { body }), "SERVICE_UNAVAILABLE")
            assert.include(message, "the operator must set MATCHPOINT_WEBHOOK_KEY")
          }
          assert.strictEqual(webhookOf(yield* manage("mp_no_box", "GET", `/${id}`)).data.status, "active")
          assert.strictEqual(webhookOf(yield* manage("mp_no_box", "POST", `/${id}/pause`)).data.status, "paused")
          assert.strictEqual((yield* manage("mp_no_box", "DELETE", `/${id}`)).status, 200)
        }),
      )
    },
  )
})
