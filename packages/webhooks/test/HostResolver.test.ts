import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { HostResolver } from "../src/HostResolver.ts"

describe("HostResolver", () => {
  it.live("resolves names with the operating system, and reports unknown ones", () =>
    Effect.gen(function* () {
      const resolver = yield* HostResolver
      const found = yield* Effect.all([resolver.resolve("localhost"), resolver.resolve("localhost")], { concurrency: 2 })
      for (const addresses of found) assert.isTrue(addresses.some(({ address }) => address === "127.0.0.1" || address === "::1"))
      const error = yield* Effect.flip(resolver.resolve("a..b"))
      assert.strictEqual(error._tag, "HostNotResolved")
    }).pipe(Effect.provide(HostResolver.layer)),
  )
})
