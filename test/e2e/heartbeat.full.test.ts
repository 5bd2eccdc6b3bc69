/** Tests pings and the last event of the live channels with the test's clock. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { followStream } from "../fixtures/clients/followers.ts"
import { KEY, memoryStack, Stack } from "../fixtures/stack.ts"

it.effect("SSE sends a ping every fifteen seconds and an error with SHUTTING_DOWN before it ends", () =>
  Effect.gen(function* () {
    const stream = yield* Effect.scoped(
      Effect.gen(function* () {
        const { url } = yield* Stack
        const following = yield* followStream(`${url}/cs2/live/stream`, KEY)
        yield* following.until((event) => event.event === "ready")
        for (const count of [1, 2]) {
          yield* TestClock.adjust("14 seconds")
          assert.strictEqual(following.events.filter((event) => event.event === "ping").length, count - 1)
          yield* TestClock.adjust("1 second")
          yield* following.until(
            (event) => event.event === "ping" && following.events.filter((one) => one.event === "ping").length === count,
          )
        }
        return following
      }).pipe(Effect.provide(memoryStack)),
    )
    const last = stream.events.at(-1)
    assert.deepStrictEqual([last?.event, JSON.parse(last?.data ?? "{}").code], ["error", "SHUTTING_DOWN"])
  }),
)
