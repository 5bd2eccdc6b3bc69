/** The receiver for developers: real requests to its server, and its flags. */
import { once } from "node:events"
import { type AddressInfo, connect } from "node:net"
import { newSecret, signatureHeaders } from "@matchpoint/webhooks/signatures"
import { afterEach, assert, describe, it, vi } from "vitest"
import { deliveryLine } from "../src/receiver/deliveryLine.ts"
import { readFlags, WrongFlag } from "../src/receiver/flags.ts"
import { receiverServer } from "../src/receiver/receiverServer.ts"

const secret = newSecret()
const id = "evt_m.1.7.match.ended"
const body = `{"id":"${id}","event":"match.ended","created_at":"2026-11-24T10:00:00.000Z","data":{"winner":"Größe"}}`
const nowSeconds = () => Math.floor(Date.now() / 1_000)

const signed = (text: string, timestampSeconds = nowSeconds()): Record<string, string> => ({
  "Content-Type": "application/json",
  "X-Svc-Event": "match.ended",
  "X-Svc-Event-Id": id,
  "X-Svc-Delivery-Attempt": "2",
  ...signatureHeaders({ id, timestampSeconds, body: text, secrets: [secret] }),
})

const opened: Array<() => Promise<unknown>> = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((close) => close()))
})

/** Starts a receiver on a free port. */
const start = async (options: { readonly secret: string | undefined; readonly status?: number }) => {
  const lines: Array<string> = []
  const server = receiverServer({ status: 200, ...options, print: (line) => lines.push(line) })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  opened.push(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  const post = async (text: string, headers: Record<string, string>) => (await fetch(url, { method: "POST", body: text, headers })).status
  return { lines, post, url }
}

describe("the receiver", () => {
  it("answers a verified delivery with 200 and prints it", async () => {
    const { lines, post } = await start({ secret })
    assert.strictEqual(await post(body, signed(body)), 200)
    assert.lengthOf(lines, 1)
    assert.match(String(lines[0]), /^\d\d:\d\d:\d\d {2}match\.ended {2}evt_m\.1\.7\.match\.ended {2}attempt 2 {2}verified$/)
  })

  it("answers deliveries that do not verify with 400 and prints the reason", async () => {
    const { lines, post } = await start({ secret })
    assert.strictEqual(await post(body.replace("Größe", "other"), signed(body)), 400)
    assert.strictEqual(await post(body, signed(body, nowSeconds() - 600)), 400)
    assert.strictEqual(await post(body, {}), 400)
    assert.strictEqual(await post("[]", signed("[]")), 400)
    assert.deepStrictEqual(
      lines.map((line) => /rejected: (\w+)\. \S/.exec(line)?.[1]),
      ["wrong_signature", "timestamp_too_old", "missing_headers", "invalid_body"],
    )
  })

  it("answers verified deliveries with the chosen status, and others with 400", async () => {
    const { post } = await start({ secret, status: 503 })
    assert.strictEqual(await post(body, signed(body)), 503)
    assert.strictEqual(await post("{}", signed(body)), 400)
  })

  it("prints that deliveries are not verified if it has no secret", async () => {
    const { lines, post } = await start({ secret: undefined })
    assert.strictEqual(await post("{}", {}), 200)
    assert.match(String(lines[0]), / {2}- {2}- {2}attempt - {2}not verified: no secret was given$/)
  })

  it("rejects other methods with 405 and bodies above 1 MB with 413", async () => {
    const { lines, post, url } = await start({ secret })
    assert.strictEqual((await fetch(url)).status, 405)
    assert.isEmpty(lines)
    assert.strictEqual(await post("x".repeat(1_000_001), {}), 413)
    assert.match(String(lines[0]), /exceeds 1 MB/)
    const largest = body.replace("Größe", "x".repeat(1_000_000 - body.length + 5))
    assert.strictEqual(await post(largest, signed(largest)), 200)
  })

  it("prints that the sender closed the connection before the end of the body", async () => {
    const { lines, url } = await start({ secret })
    const socket = connect(Number(new URL(url).port), "127.0.0.1")
    await once(socket, "connect")
    socket.write("POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 10\r\n\r\n{")
    setTimeout(() => socket.destroy(), 50)
    await vi.waitFor(() => assert.match(String(lines[0]), /^A delivery could not be read: /))
  })

  it("does not print control characters of a header", () => {
    const line = deliveryLine(new Date(0), { "x-svc-event": "a\u001b[2J\u009b" }, { _tag: "Verified" })
    assert.strictEqual(line, "00:00:00  a?[2J?  -  attempt -  verified")
  })
})

describe("the flags of the receiver", () => {
  it("have defaults, and the secret of the environment", () => {
    assert.deepStrictEqual(readFlags([], undefined), { port: 8787, secret: undefined, status: 200, help: false })
    assert.strictEqual(readFlags([], "from the environment").secret, "from the environment")
    assert.strictEqual(readFlags(["--secret", "given"], "from the environment").secret, "given")
    assert.deepStrictEqual(readFlags(["--port", "0", "--status=500", "-h"], undefined), {
      port: 0,
      secret: undefined,
      status: 500,
      help: true,
    })
  })

  it("are rejected if they are unknown or out of range", () => {
    const wrong = [["--port", "65536"], ["--port", "a"], ["--status", "199"], ["--status", "1e3"], ["--verbose"], ["--secret"], ["8787"]]
    for (const args of wrong) assert.throws(() => readFlags(args, undefined), WrongFlag)
  })
})
