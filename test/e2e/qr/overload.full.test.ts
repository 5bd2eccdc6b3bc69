/** More requests than threads and queue take: the rest is answered 503 at once. */
import { assert, it } from "@effect/vitest"
import { QrThreadsConfig } from "@matchpoint/qr/QrThreadsConfig"
import { Effect, Layer } from "effect"
import { bareGateway } from "../../fixtures/bareGateway.ts"
import { getQr } from "../../fixtures/qr/askQr.ts"

const small = Layer.succeed(QrThreadsConfig, { threads: 1, queue: 2, timeoutSeconds: 30 })

it.layer(bareGateway().pipe(Layer.provide(small)), { timeout: 60_000, excludeTestServices: true })("overload", (it) => {
  it.effect("is answered 503 with Retry-After in the section's format, and passes", () =>
    Effect.gen(function* () {
      const answers = yield* Effect.all(
        Array.from({ length: 20 }, (_, at) => getQr({ data: `https://example.com/${at}`, size: "1000" })),
        { concurrency: "unbounded" },
      )
      const refused = answers.filter(({ status }) => status !== 200)
      assert.isAtLeast(answers.length - refused.length, 3)
      assert.isAtLeast(refused.length, 1)
      for (const { error, headers, status } of refused) {
        assert.deepStrictEqual([status, headers.get("retry-after")], [503, "1"])
        assert.strictEqual(error, "too many images are being generated; retry later")
      }
      assert.strictEqual((yield* getQr({ data: "later" })).status, 200)
    }),
  )
})
