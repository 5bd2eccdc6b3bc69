import { assert, describe, it } from "@effect/vitest"
import { Redacted } from "effect"
import { natsAddresses } from "../../src/servers/natsAddresses.ts"

describe("natsAddresses", () => {
  it("keeps host and port, and adds the port of NATS", () =>
    assert.deepStrictEqual(natsAddresses(["nats://one:4223", "nats://two", "nats://[::1]:4224"]), {
      servers: ["one:4223", "two:4222", "[::1]:4224"],
      isTls: false,
    }))

  it("takes user and password of the first address that has them", () => {
    const { servers, user } = natsAddresses(["nats://one", "nats://me:1234%40@two:4223"])
    assert.deepStrictEqual(servers, ["one:4222", "two:4223"])
    assert.strictEqual(user?.name, "me")
    assert.strictEqual(Redacted.value(user?.password ?? Redacted.make("")), "1234@")
  })

  it("takes a user without a password for a token, and tls:// for TLS", () => {
    const { isTls, token, user } = natsAddresses(["tls://a-token@one"])
    assert.isTrue(isTls)
    assert.isUndefined(user)
    assert.strictEqual(Redacted.value(token ?? Redacted.make("")), "a-token")
  })
})
