/** Gateways with shared counts in memory, over connections that a test can cut. */
import { assert } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Scope } from "effect"
import { SharedCounts, SharedCountsError, type SharedCountsPort } from "../../src/counts/SharedCounts.ts"
import { CountsBook, countsOf } from "../../src/counts/SharedCountsMemory.ts"
import { StreamLimits } from "../../src/counts/StreamLimits.ts"

/** Shared counts in memory, and the state of the connection to them. */
export class Line {
  state: "up" | "fails" | "silent" | "loses answers" = "up"
  exchanges = 0
  readonly book = new CountsBook()
  readonly port: SharedCountsPort

  constructor() {
    const counts = countsOf(this.book)
    const over = <A>(asking: Effect.Effect<A, SharedCountsError>): Effect.Effect<A, SharedCountsError> =>
      Effect.suspend(() => {
        this.exchanges += 1
        const gone = Effect.fail(new SharedCountsError({ cause: "gone" }))
        if (this.state === "fails") return gone
        if (this.state === "silent") return Effect.never
        return this.state === "up" ? Effect.delay(asking, "2 millis") : Effect.andThen(asking, gone)
      })
    const exchange: SharedCountsPort["exchange"] = (gateway, claims) => {
      assert.strictEqual(new Set(claims.map(({ keyId }) => keyId)).size, claims.length, "one claim per key")
      return counts.exchange(gateway, claims)
    }
    this.port = {
      exchange: (gateway, claims) => over(exchange(gateway, claims)),
      leave: (gateway) => over(counts.leave(gateway)),
      spend: counts.spend,
    }
  }
}

/** A gateway that ends with `stop`, which shuts it down, or with `crash`. */
export const gateway = Effect.fnUntraced(function* (line: Line | null) {
  const scope = yield* Scope.make()
  let isDead = false
  const port: SharedCountsPort | null =
    line === null
      ? null
      : {
          exchange: (...asked) => (isDead ? Effect.never : line.port.exchange(...asked)),
          leave: (...asked) => (isDead ? Effect.never : line.port.leave(...asked)),
          spend: line.port.spend,
        }
  const layer = Layer.fresh(StreamLimits.layer).pipe(Layer.provide(Layer.succeed(SharedCounts, port)))
  const limits = Context.get(yield* Layer.buildWithScope(layer, scope), StreamLimits)
  return {
    limits,
    crash: Effect.sync(() => {
      isDead = true
    }),
    stop: Effect.andThen(Effect.sync(limits.drain), Scope.close(scope, Exit.void)),
  }
})
