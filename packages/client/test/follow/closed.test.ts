/** Reactions of a follower to a connection that is refused, closed, or reported as faulty. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { FollowInput, FollowSettings } from "../../src/follow/FollowState.ts"
import type { ApiError } from "../../src/follow/refusal.ts"
import { resumeCursor } from "../../src/follow/resume.ts"
import { step } from "../../src/follow/step.ts"
import { Follower, followed } from "./Follower.ts"

const test = (name: string, run: () => void) => it.effect(name, () => Effect.sync(run))

describe("the end of a connection", () => {
  const answers: ReadonlyArray<readonly [string, Partial<Extract<FollowInput, { readonly _tag: "Closed" }>>, string]> = [
    ["401", { status: 401 }, "Fail"],
    ["403", { status: 403 }, "Fail"],
    ["404", { status: 404 }, "Fail"],
    ["429", { status: 429, retryAfterMs: 7_000 }, "Reconnect"],
    ["503", { status: 503 }, "Reconnect"],
    ["1001", { code: 1001 }, "Reconnect"],
    ["1006", { code: 1006 }, "Reconnect"],
    ["1009", { code: 1009 }, "Fail"],
    ["3008", { code: 3008 }, "Reconnect"],
    ["3501", { code: 3501 }, "Fail"],
    ["3502", { code: 3502 }, "Fail"],
  ]
  for (const [name, answer, expected] of answers) {
    test(`closed with ${name}: ${expected}`, () => {
      const follower = new Follower("v2")
      const { next } = follower.give({ _tag: "Closed", reason: "", now: 0, random: 0.5, ...answer })
      assert.strictEqual(next?._tag, expected)
      if (next?._tag === "Reconnect") assert.isAtLeast(next.afterMs, answer.retryAfterMs ?? 100)
    })
  }

  test("fails with the code of errors that another attempt cannot change", () => {
    const reasons = (
      [
        [{ type: "error", code: "RATE_LIMIT_EXCEEDED", message: "" }, "LimitExceeded"],
        [{ type: "error", code: "INVALID_API_KEY", message: "" }, "Unauthorized"],
        [{ type: "error", code: "HISTORY_LIMIT", message: "" }, "PlanRequired"],
      ] as const
    ).map(([message, reason]) => [followed().receive(message).next, message.code, reason] as const)
    for (const [next, code, reason] of reasons) {
      assert.strictEqual(next?._tag, "Fail")
      if (next?._tag === "Fail") assert.deepInclude(next.failure, { reason, code })
    }
  })

  test("handles the close codes of metering", () => {
    const nextOf = (code: number) => followed().give({ _tag: "Closed", code, reason: "", now: 0, random: 1 }).next
    for (const code of [3011, 3012]) assert.deepStrictEqual(nextOf(code), { _tag: "Reconnect", afterMs: 250, atLeastMs: 0 }, String(code))
    for (const [code, reason] of [
      [3503, "LimitExceeded"],
      [3504, "Unauthorized"],
      [3501, "Refused"],
    ] as const) {
      const next = nextOf(code)
      assert.strictEqual(next?._tag === "Fail" && next.failure.reason, reason, String(code))
    }
  })

  describe("a refused handshake", () => {
    const refusedWith = (status: number, error?: ApiError, settings: Partial<FollowSettings> = {}, retryAfterMs?: number) =>
      followed(settings).give({ _tag: "Closed", reason: "no", status, error, retryAfterMs, now: 0, random: 1 })

    test("is retried if the failure may pass, and not if the month is used up", () => {
      const limited = { code: "RATE_LIMIT_EXCEEDED", message: "slow down", limit: "requests_per_second" }
      assert.deepStrictEqual(refusedWith(429, limited, {}, 1_000).next, { _tag: "Reconnect", afterMs: 1_000, atLeastMs: 1_000 })
      assert.strictEqual(refusedWith(429, { code: "TOO_MANY_CONNECTIONS", message: "", limit: "connections" }).next?._tag, "Reconnect")
      const { next } = refusedWith(429, { ...limited, message: "used up", limit: "requests_per_month" }, {}, 86_400_000)
      assert.strictEqual(next?._tag, "Fail")
      if (next?._tag !== "Fail") return
      const { code, message, reason, retryAfterMs } = next.failure
      assert.deepStrictEqual(
        { code, message, reason, retryAfterMs },
        { code: "RATE_LIMIT_EXCEEDED", message: "used up", reason: "LimitExceeded", retryAfterMs: 86_400_000 },
      )
    })

    test("leads to the other transport, if there is one, with the same cursor", () => {
      const needed = { code: "PLAN_REQUIRED", message: "live-websockets needs plan scale" }
      const { emit, next, state } = refusedWith(403, needed, { canFallBack: true })
      assert.deepStrictEqual(next, { _tag: "FallBack" })
      assert.deepStrictEqual(emit, [{ _tag: "Notice", notice: { type: "stale", reason: needed.message, retryInMs: 0 } }])
      assert.strictEqual(resumeCursor(state)?.seq, 1)
      const again = step(state, { _tag: "Closed", reason: "no", status: 403, error: needed, now: 0, random: 1 })
      assert.strictEqual(again.next?._tag === "Fail" && again.next.failure.reason, "PlanRequired")
      const alone = refusedWith(403, needed)
      assert.strictEqual(alone.next?._tag === "Fail" && alone.next.failure.code, "PLAN_REQUIRED")
      const game = refusedWith(403, { code: "GAME_NOT_INCLUDED", message: "" }, { canFallBack: true })
      assert.strictEqual(game.next?._tag === "Fail" && game.next.failure.reason, "PlanRequired")
    })
  })
})
