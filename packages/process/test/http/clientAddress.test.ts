import { assert, describe, it } from "@effect/vitest"
import { clientAddress, limitedAddress, networkOf } from "../../src/http/clientAddress.ts"

const networks: ReadonlyArray<readonly [address: string, prefix: number, network: string]> = [
  ["192.0.2.7", 64, "192.0.2.7"],
  ["2001:db8:1:2:3:4:5:6", 64, "2001:db8:1:2::/64"],
  ["2001:db8:1:2:ffff::1", 64, "2001:db8:1:2::/64"],
  ["2001:db8:1:3::1", 64, "2001:db8:1:3::/64"],
  ["2001:db8:1:ff00::1", 56, "2001:db8:1:ff00::/56"],
  ["2001:db8:1:ffff::1", 56, "2001:db8:1:ff00::/56"],
  ["2001:db8::1", 128, "2001:db8::1/128"],
  ["::ffff:192.0.2.7", 64, "192.0.2.7"],
  ["::1", 64, "::/64"],
  ["unknown", 64, "unknown"],
  ["no:address", 64, "no:address"],
]

describe("addresses of clients", () => {
  for (const [address, prefix, network] of networks) {
    it(`limits ${address} as ${network} with a prefix of ${prefix}`, () => assert.strictEqual(networkOf(address, prefix), network))
  }

  it("uses the last entry of x-forwarded-for only behind a proxy", () => {
    const headers = { "x-forwarded-for": "203.0.113.1, 2001:db8:1:2::9" }
    const rules = { behindProxy: true, ipv6Prefix: 64 }
    assert.strictEqual(clientAddress(headers, "10.0.0.1", true), "2001:db8:1:2::9")
    assert.strictEqual(limitedAddress(headers, "10.0.0.1", rules), "2001:db8:1:2::/64")
    assert.strictEqual(limitedAddress(headers, "10.0.0.1", { ...rules, behindProxy: false }), "10.0.0.1")
    assert.strictEqual(limitedAddress({}, undefined, rules), "unknown")
  })
})
