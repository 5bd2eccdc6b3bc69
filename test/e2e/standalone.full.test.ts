/** Tests `npm start` as a process: the output for a new user, and that every development key works. */
import { assert, it } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { Standalone } from "../fixtures/Standalone.ts"

it.layer(Standalone.layer({ matches: 4, speed: 20, fresh: true }), { excludeTestServices: true, timeout: "120 seconds" })(
  "standalone",
  (it) => {
    it.effect("prints its address, the development keys, and how to create others", () =>
      Effect.gen(function* () {
        const { output, url } = yield* Standalone
        // The server accepts requests a moment before it prints this.
        const printed = yield* output.pipe(
          Effect.repeat({ until: (text) => text.includes("Ctrl-C"), schedule: Schedule.spaced("20 millis") }),
          Effect.timeout("10 seconds"),
        )
        for (const expectedText of [
          new URL(url).port,
          "mp_dev_free",
          "mp_dev_starter",
          "mp_dev_pro",
          "mp_dev_business",
          "mp_dev_scale",
          "mp_dev_enterprise",
          "mp_dev_admin",
          "npm run admin -- keys create",
        ]) {
          assert.include(printed, expectedText)
        }
        // A server that only this machine can reach prints no warning.
        assert.notInclude(printed, "WARNING")
      }),
    )

    it.effect("accepts each development key and serves the operators' endpoints", () =>
      Effect.gen(function* () {
        const { live, url } = yield* Standalone
        // The server accepts requests before its matches have begun.
        yield* live.pipe(
          Effect.repeat({ until: (matches) => matches.length === 4, schedule: Schedule.spaced("50 millis") }),
          Effect.timeout("10 seconds"),
        )
        for (const plan of ["free", "starter", "business", "scale", "enterprise"]) {
          const answer = yield* Effect.promise(() => fetch(`${url}/api/v1/cs2/live`, { headers: { "x-api-key": `mp_dev_${plan}` } }))
          assert.strictEqual(answer.status, 200)
        }
        const metrics = yield* Effect.promise(() => fetch(`${url}/metrics`).then((answer) => answer.text()))
        assert.match(metrics, /^matchpoint_match_running 11$/m)
        assert.strictEqual((yield* Effect.promise(() => fetch(`${url}/health`))).status, 200)
      }),
    )
  },
)
