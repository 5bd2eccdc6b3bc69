/** Tests the check of a receiver's URL at registration: each problem has a message that reveals nothing internal. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HostNotResolved, HostResolver } from "../src/HostResolver.ts"
import { UrlCheck } from "../src/UrlCheck.ts"

const addresses = new Map([
  ["good.test", ["203.0.113.80"]],
  ["bad.test", ["203.0.113.80", "10.0.0.1"]],
  ["empty.test", []],
])

const resolver = Layer.succeed(HostResolver, {
  resolve: (hostname) => {
    if (hostname === "slow.test") return Effect.never
    const found = addresses.get(hostname)
    return found === undefined
      ? Effect.fail(new HostNotResolved({ hostname, cause: new Error("unknown name") }))
      : Effect.succeed(found.map((address) => ({ address, family: 4 })))
  },
})

const settings = { allowHttp: false, allowedNetworks: ["203.0.113.80/31"], lookupTimeoutMs: 50 }
const checks = UrlCheck.layer(settings).pipe(Layer.provide(resolver))

const check = (url: string) => Effect.flatMap(UrlCheck, (urls) => urls.check(url))

describe("UrlCheck", () => {
  it.live("returns the normal form of a URL that may be registered", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* check("HTTPS://Good.test:443/\u00e4"), "https://good.test/%C3%A4")
      assert.strictEqual(yield* check("https://203.0.113.81"), "https://203.0.113.81/")
    }).pipe(Effect.provide(checks)),
  )

  it.live.each([
    ["bad.test", /public address/],
    ["unknown.test", /could not be resolved/],
    ["empty.test", /could not be resolved/],
    ["slow.test", /could not be resolved/],
    ["10.0.0.1", /not public/],
    ["localhost", /host/],
    ["a@good.test", /user/],
    ["good.test:22", /port/],
  ] as const)("refuses https://%s/", ([host, message]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(check(`https://${host}/`))
      assert.match(error.message, message)
      assert.notMatch(error.message, /10\.0|203|\.test|localhost/)
    }).pipe(Effect.provide(checks)),
  )

  it.live("does not start with a malformed network", () =>
    Effect.gen(function* () {
      const layer = UrlCheck.layer({ allowHttp: false, allowedNetworks: ["10.0.0.0/40"] }).pipe(Layer.provide(resolver))
      assert.strictEqual((yield* Effect.flip(Layer.build(layer)))._tag, "InvalidNetwork")
    }),
  )
})
