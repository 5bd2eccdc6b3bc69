import { Result } from "effect"
import { assert, describe, it } from "vitest"
import { type AddressPolicySettings, checkAddress, checkUrl, makeAddressPolicy, type UrlProblem } from "../src/addressPolicy.ts"

const policyOf = (settings: Partial<AddressPolicySettings> = {}) =>
  Result.getOrThrow(makeAddressPolicy({ allowedNetworks: [], allowHttp: false, ...settings }))

const strict = policyOf()
const withHttp = policyOf({ allowHttp: true })
const withLoopback = policyOf({ allowHttp: true, allowedNetworks: ["loopback"] })
const withPrivate = policyOf({ allowedNetworks: ["10.1.0.0/16", "fd00:1::/32", "64:ff9b::/96", "192.168.7.7"] })

/** Returns the code of the problem, or "ok". */
const codeOf = (policy: typeof strict, url: string): UrlProblem["code"] | "ok" => {
  const checked = checkUrl(policy, url)
  return Result.isFailure(checked) ? checked.failure.code : "ok"
}

const withLength = (length: number) => "https://example.com/".padEnd(length, "a")

describe("checkUrl with the strict policy", () => {
  const cases: ReadonlyArray<readonly [url: string, code: UrlProblem["code"] | "ok"]> = [
    ["https://example.com/hooks?team=1&x=%20", "ok"],
    ["https://example.com", "ok"],
    ["HTTPS://EXAMPLE.COM/", "ok"],
    ["https://example.com./", "ok"],
    ["https://bücher.example/", "ok"],
    ["https://ex%61mple.com/", "ok"],
    ["https://example.com:8443/a@b", "ok"],
    ["https://8.8.8.8/", "ok"],
    ["https://[2606:4700:4700::1111]/", "ok"],
    ["https://localhost.example.com/", "ok"],
    ["https://metadata.example.com/", "ok"],
    [withLength(2_048), "ok"],
    [withLength(2_049), "too_long"],
    [`https://example.com/${"ü".repeat(600)}`, "too_long"],
    ["", "malformed"],
    ["example.com", "malformed"],
    ["//example.com/", "malformed"],
    ["https://", "malformed"],
    ["https:example.com", "malformed"],
    ["https:/example.com", "malformed"],
    ["https:///example.com", "malformed"],
    [" https://example.com/", "malformed"],
    ["https://example.com/\n", "malformed"],
    ["https://exam\tple.com/", "malformed"],
    ["https://example.com/a b", "malformed"],
    ["https://example.com/\0", "malformed"],
    ["https://example.com\\@127.0.0.1/", "malformed"],
    ["https:\\\\example.com/", "malformed"],
    ["https://ex%00ample.com/", "malformed"],
    ["https://[fe80::1%25eth0]/", "malformed"],
    ["https://1.2.3.4.5/", "malformed"],
    ["https://256.256.256.256/", "malformed"],
    ["https://example.com:65536/", "malformed"],
    ["https://example.com:-1/", "malformed"],
    ["http://example.com/", "protocol"],
    ["ftp://example.com/", "protocol"],
    ["file:///etc/passwd", "protocol"],
    ["gopher://example.com/", "protocol"],
    ["javascript:alert(1)", "protocol"],
    ["data:text/plain,a", "protocol"],
    ["ws://example.com/", "protocol"],
    ["https://user@example.com/", "user_info"],
    ["https://user:secret@example.com/", "user_info"],
    ["https://@example.com/", "user_info"],
    ["https://:@example.com/", "user_info"],
    ["https://example.com@127.0.0.1/", "user_info"],
    ["https://example.com/#part", "fragment"],
    ["https://example.com/#", "fragment"],
    ["https://example.com:0/", "port"],
    ["https://example.com:22/", "port"],
    ["https://example.com:25/", "port"],
    ["https://example.com:1023/", "port"],
    ["https://example.com:6379/", "port"],
    ["https://example.com:80/", "ok"],
    ["https://example.com:65535/", "ok"],
    ["https://./", "host"],
    [`https://${"a.".repeat(127)}com/`, "host"],
    ["https://localhost/", "host"],
    ["https://LOCALHOST/", "host"],
    ["https://localhost./", "host"],
    ["https://a.localhost/", "host"],
    ["https://ⓛocalhost/", "host"],
    ["https://localhost.localdomain/", "host"],
    ["https://printer.local/", "host"],
    ["https://receiver.internal/", "host"],
    ["https://router.home.arpa./", "host"],
    ["https://receiver/", "host"],
    ["https://metadata/", "host"],
    ["https://metadata.google.internal/", "host"],
    ["https://metadata.goog/", "host"],
    ["https://instance-data.ec2.internal/", "host"],
    ["https://127.0.0.1/", "address"],
    ["https://127.0.0.1./", "address"],
    ["https://127.1/", "address"],
    ["https://2130706433/", "address"],
    ["https://0x7f000001/", "address"],
    ["https://0x7f.0.0.1/", "address"],
    ["https://0177.0.0.1/", "address"],
    ["https://017700000001/", "address"],
    ["https://①②⑦.⓪.⓪.①/", "address"],
    ["https://127。0。0。1/", "address"],
    ["https://%31%32%37.0.0.1/", "address"],
    ["https://0/", "address"],
    ["https://0.0.0.0/", "address"],
    ["https://169.254.169.254/latest/meta-data/", "address"],
    ["https://10.0.0.1:8443/", "address"],
    ["https://[::]/", "address"],
    ["https://[::1]/", "address"],
    ["https://[0:0:0:0:0:0:0:1]/", "address"],
    ["https://[::ffff:127.0.0.1]/", "address"],
    ["https://[::ffff:7f00:1]/", "address"],
    ["https://[::127.0.0.1]/", "address"],
    ["https://[::ffff:8.8.8.8]/", "address"],
    ["https://[2002:7f00:1::]/", "address"],
    ["https://[64:ff9b::10.0.0.1]/", "address"],
    ["https://[fd00:ec2::254]/", "address"],
    ["https://[2606:4700::5efe:10.0.0.1]/", "address"],
    ["https://[2606:4700::200:5efe:a00:1]/", "address"],
    ["https://[2606:4700::200:5efe:8.8.8.8]/", "address"],
    ["https://[2606:4700::5eff:a00:1]/", "ok"],
    ["https://[64:ff9b:1::10.0.0.1]/", "address"],
  ]
  it.each(cases)("%j: %s", (url, code) => {
    assert.strictEqual(codeOf(strict, url), code)
  })

  it("returns the URL in its normal form", () => {
    const checked = checkUrl(strict, "HTTPS://Bücher.example:443/ä?q=ö")
    assert.strictEqual(Result.getOrThrow(checked).href, "https://xn--bcher-kva.example/%C3%A4?q=%C3%B6")
  })
})

describe("checkAddress with NAT64 prefixes of the operator", () => {
  // Examples of RFC 6052, section 2.4, with 192.0.2.33 replaced by addresses of each kind.
  const cases: ReadonlyArray<readonly [prefix: string, translated: string, isPublic: boolean]> = [
    ["2001:db8::/32", "2001:db8:a00:1::", false],
    ["2001:db8:100::/40", "2001:db8:10a:0:1::", false],
    ["2001:db8:122::/48", "2001:db8:122:a00:0:100::", false],
    ["2001:db8:122:300::/56", "2001:db8:122:30a:0:1::", false],
    ["2001:db8:122:344::/64", "2001:db8:122:344:a:0:100::", false],
    ["2001:db8:122:344::/96", "2001:db8:122:344::10.0.0.1", false],
    ["2606:4700:64::/96", "2606:4700:64::127.0.0.1", false],
    ["2606:4700:64::/96", "2606:4700:64::169.254.169.254", false],
    ["2606:4700:64::/96", "2606:4700:64::8.8.8.8", true],
    ["2606:4700::/32", "2606:4700:808:808::", true],
    ["2606:4700:122:344::/64", "2606:4700:122:344:8:808:800::", true],
    ["2606:4700:64::/96", "2606:4700:65::1", true],
  ]
  it.each(cases)("%s, %s: %s", (prefix, translated, isPublic) => {
    assert.strictEqual(checkAddress(policyOf({ nat64Prefixes: [prefix] }), translated), isPublic)
  })

  it("accepts a network that is allowed, and never a blocked address", () => {
    const policy = policyOf({
      nat64Prefixes: ["2606:4700:64::/96"],
      allowedNetworks: ["10.1.0.0/16"],
      blockedAddresses: ["10.1.0.9", "8.8.4.4"],
    })
    assert.isTrue(checkAddress(policy, "2606:4700:64::10.1.0.1"))
    assert.isFalse(checkAddress(policy, "2606:4700:64::10.1.0.9"))
    assert.isFalse(checkAddress(policy, "2606:4700:64::8.8.4.4"))
  })

  it.each(["2001:db8::/33", "2001:db8::/128", "10.0.0.0/8", "nat64"])("rejects the prefix %s", (prefix) => {
    assert.isTrue(Result.isFailure(makeAddressPolicy({ allowHttp: false, allowedNetworks: [], nat64Prefixes: [prefix] })))
  })
})

describe("checkUrl with other policies", () => {
  const cases: ReadonlyArray<readonly [name: string, policy: typeof strict, url: string, code: UrlProblem["code"] | "ok"]> = [
    ["http", withHttp, "http://example.com/", "ok"],
    ["http", withHttp, "http://0/", "address"],
    ["http", withHttp, "http://localhost/", "host"],
    ["http", withHttp, "ftp://example.com/", "protocol"],
    ["loopback", withLoopback, "http://localhost:8080/", "ok"],
    ["loopback", withLoopback, "http://127.0.0.1:8080/", "ok"],
    ["loopback", withLoopback, "http://[::1]:8080/", "ok"],
    ["loopback", withLoopback, "http://[::ffff:127.0.0.1]:8080/", "ok"],
    ["loopback", withLoopback, "http://10.0.0.1/", "address"],
    ["loopback", withLoopback, "http://0.0.0.0/", "address"],
    ["loopback", withLoopback, "http://receiver/", "host"],
    ["private", withPrivate, "https://receiver/", "ok"],
    ["private", withPrivate, "https://receiver.internal/", "ok"],
    ["private", withPrivate, "https://10.1.2.3/", "ok"],
    ["private", withPrivate, "https://10.2.0.1/", "address"],
    ["private", withPrivate, "https://localhost/", "host"],
    ["private", withPrivate, "https://metadata.google.internal/", "host"],
  ]
  it.each(cases)("%s: %j %j: %s", (_name, policy, url, code) => {
    assert.strictEqual(codeOf(policy, url), code)
  })
})

describe("checkAddress", () => {
  it.each(["8.8.8.8", "1.1.1.1", "100.63.255.255", "100.128.0.1", "172.32.0.1", "223.255.255.255", "2606:4700:4700::1111", "2a00:1450::1"])(
    "passes the public address %s",
    (address) => {
      assert.isTrue(checkAddress(strict, address))
    },
  )

  const rejected: ReadonlyArray<readonly [reason: string, address: string]> = [
    ["unspecified", "0.0.0.0"],
    ["this network", "0.1.2.3"],
    ["private", "10.0.0.1"],
    ["private", "172.16.0.1"],
    ["private", "172.31.255.255"],
    ["private", "192.168.1.1"],
    ["shared by providers", "100.64.0.1"],
    ["shared by providers", "100.127.255.255"],
    ["loopback", "127.0.0.1"],
    ["loopback", "127.255.255.254"],
    ["link-local", "169.254.1.1"],
    ["metadata", "169.254.169.254"],
    ["assigned by IETF", "192.0.0.8"],
    ["documentation", "192.0.2.1"],
    ["documentation", "198.51.100.1"],
    ["documentation", "203.0.113.1"],
    ["6to4 relay", "192.88.99.1"],
    ["benchmarking", "198.18.0.1"],
    ["benchmarking", "198.19.255.255"],
    ["multicast", "224.0.0.1"],
    ["multicast", "239.255.255.255"],
    ["reserved", "240.0.0.1"],
    ["broadcast", "255.255.255.255"],
    ["unspecified", "::"],
    ["loopback", "::1"],
    ["mapped", "::ffff:127.0.0.1"],
    ["mapped", "::ffff:8.8.8.8"],
    ["compatible", "::127.0.0.1"],
    ["compatible", "::8.8.8.8"],
    ["translated", "::ffff:0:10.0.0.1"],
    ["NAT64", "64:ff9b::10.0.0.1"],
    ["NAT64", "64:ff9b::8.8.8.8"],
    ["NAT64, local", "64:ff9b:1::1"],
    ["discard", "100::1"],
    ["Teredo", "2001::1"],
    ["benchmarking", "2001:2::1"],
    ["ORCHID", "2001:20::1"],
    ["documentation", "2001:db8::1"],
    ["documentation", "3fff::1"],
    ["6to4", "2002:0a00:0001::1"],
    ["6to4", "2002:0808:0808::1"],
    ["segment routing", "5f00::1"],
    ["not assigned", "4000::1"],
    ["not assigned", "8000::1"],
    ["unique local", "fc00::1"],
    ["unique local, metadata", "fd00:ec2::254"],
    ["link-local", "fe80::1"],
    ["zone", "fe80::1%eth0"],
    ["zone", "2606:4700:4700::1111%1"],
    ["site-local", "fec0::1"],
    ["multicast", "ff02::1"],
    ["text", ""],
    ["text", "localhost"],
    ["text", "[2606:4700:4700::1111]"],
    ["text", "8.8.8.8/32"],
    ["text", " 8.8.8.8"],
    ["text", "8.8.8"],
    ["text", "134744072"],
    ["text", "010.8.8.8"],
    ["text", "0x8.8.8.8"],
    ["text", "8.8.8.256"],
  ]
  it.each(rejected)("rejects %s: %j", (_reason, address) => {
    assert.isFalse(checkAddress(strict, address))
  })

  it("passes addresses of allowed networks only", () => {
    for (const address of ["10.1.0.0", "10.1.255.255", "fd00:1::5", "192.168.7.7", "::ffff:10.1.0.1"]) {
      assert.isTrue(checkAddress(withPrivate, address), address)
    }
    for (const address of ["10.0.255.255", "10.2.0.0", "fd00:2::5", "192.168.7.8", "::ffff:10.2.0.1", "2002:0a01:0001::", "127.0.0.1"]) {
      assert.isFalse(checkAddress(withPrivate, address), address)
    }
  })

  it("checks the IPv4 address inside an address of an allowed NAT64 network", () => {
    assert.isTrue(checkAddress(withPrivate, "64:ff9b::8.8.8.8"))
    assert.isTrue(checkAddress(withPrivate, "64:ff9b::10.1.0.1"))
    assert.isFalse(checkAddress(withPrivate, "64:ff9b::10.2.0.1"))
    assert.isFalse(checkAddress(withPrivate, "64:ff9b::169.254.169.254"))
  })

  it("rejects blocked addresses in all forms, even in an allowed network", () => {
    const policy = policyOf({
      allowedNetworks: ["203.0.113.0/24", "::/0"],
      blockedAddresses: ["203.0.113.7", "::ffff:9.9.9.9", "2606:4700::/32"],
    })
    assert.isTrue(checkAddress(policy, "203.0.113.8"))
    const blocked = [
      "203.0.113.7",
      "::ffff:203.0.113.7",
      "::203.0.113.7",
      "64:ff9b::203.0.113.7",
      "2002:cb00:7107::",
      "9.9.9.9",
      "2606:4700::1",
    ]
    for (const address of blocked) assert.isFalse(checkAddress(policy, address), address)
  })
})

describe("makeAddressPolicy", () => {
  it.each([
    "",
    "private",
    "10.0.0.0/33",
    "10.0.0.0/",
    "10.0.0.0/8/8",
    "10/8",
    "10.0.0.0/-1",
    "::/129",
    "fe80::1%eth0",
    "10.0.0.0/255.0.0.0",
  ])("reports the malformed network %j", (network) => {
    for (const settings of [{ allowedNetworks: ["loopback", network] }, { allowedNetworks: [], blockedAddresses: [network] }]) {
      const made = makeAddressPolicy({ allowHttp: false, ...settings })
      if (Result.isSuccess(made)) return assert.fail("the network was accepted")
      assert.strictEqual(made.failure.network, network)
      assert.include(made.failure.message, `"${network}" is not an IP address`)
    }
  })
})

describe("problem messages", () => {
  it("do not contain the host of the URL", () => {
    for (const url of ["https://10.20.30.40/", "https://receiver.internal/", "https://[fd12::1]/"]) {
      const checked = checkUrl(strict, url)
      if (Result.isSuccess(checked)) return assert.fail(url)
      assert.notMatch(checked.failure.message, /10\.20|receiver|fd12/)
    }
  })
})
