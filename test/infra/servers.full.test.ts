/** Lets nats-server and nginx check infra/nats.conf and infra/nginx.conf, and sends streams through a real nginx. */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import { request } from "node:https"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { maxDataBytes } from "@matchpoint/bus/EventLog"
import { streams } from "@matchpoint/contracts/bus/subjects"
import { findFreePort } from "@matchpoint/testing/freePorts"
import { afterAll, assert, beforeAll, describe, inject, it, vi } from "vitest"
import { WebSocket, WebSocketServer } from "ws"
import { readInfra } from "./infraFiles.ts"
import { runProgram } from "./programs.ts"

const natsServer = inject("natsServer") ?? ""
const nginx = inject("nginx") ?? ""

const folder = mkdtempSync(join(tmpdir(), "matchpoint-servers-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** First number after the name of a setting. */
const numberAfter = (text: string, name: string): number => Number(new RegExp(`\\b${name}[:\\s]+"?(\\d+)`).exec(text)?.[1])

describe("infra/nats.conf", () => {
  const text = readInfra("nats.conf")

  it.skipIf(natsServer === "")("nats-server accepts it", () => {
    const [, major, minor] = /v(\d+)\.(\d+)/.exec(runProgram(natsServer, ["--version"]).output) ?? []
    const knowsSyncInterval = Number(major) > 2 || Number(minor) >= 10
    if (!knowsSyncInterval) process.stdout.write(`[nats-server ${major}.${minor}] sync_interval is not checked: it needs 2.10 or later\n`)
    const file = join(folder, "nats.conf")
    writeFileSync(file, knowsSyncInterval ? text : text.replace(/^\s*sync_interval:.*$/m, ""))
    const { code, output } = runProgram(natsServer, ["-t", "-c", file], { env: { NATS_PASSWORD: '"24e1"' } })
    assert.strictEqual(code, 0, output)
  })

  it("writes each append to disk before it is acknowledged, and has room for all streams and the largest record", () => {
    assert.match(text, /^ {2}sync_interval: "always"$/m)
    assert.isAbove(numberAfter(text, "max_payload"), maxDataBytes + 4_096)
    const bytes = streams.reduce((sum, { maxBytes }) => sum + maxBytes, 0)
    assert.isAbove(numberAfter(text, "max_file_store"), 2 * bytes)
  })
})

/** Address of a server that counts its requests and answers WebSockets and server-sent events. */
interface Backend {
  readonly server: Server
  readonly port: number
  readonly seen: Array<Readonly<Record<string, string | Array<string> | undefined>>>
}

const startBackend = async (name: string): Promise<Backend> => {
  const seen: Backend["seen"] = []
  const server = createServer((asked, response) => {
    seen.push({ url: asked.url, ...asked.headers })
    if (!asked.url?.endsWith("/events")) return void response.end(name)
    response.writeHead(200, { "content-type": "text/event-stream" })
    // The stream stays open, so an event that a proxy buffers never arrives.
    response.write("data: first\n\n")
  })
  new WebSocketServer({ server }).on("connection", (socket) => socket.on("message", (data) => socket.send(`${name}: ${String(data)}`)))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return { server, port: portOf(server), seen }
}

const portOf = (server: Server): number => {
  const address: AddressInfo | string | null = server.address()
  return typeof address === "object" ? (address?.port ?? 0) : 0
}

const names = ["gateway-1", "gateway-2", "feed-1", "feed-2"]

/** True if a server of an upstream can be resolved again while nginx runs. */
const knowsResolve = (): boolean => {
  const [, major, minor, patch] = /nginx\/(\d+)\.(\d+)\.(\d+)/.exec(runProgram(nginx, ["-v"]).output) ?? []
  return Number(major) * 1e6 + Number(minor) * 1e3 + Number(patch) >= 1_027_003
}

describe("the upstreams of infra/nginx.conf", () => {
  it("follow a container to its new address", () => {
    const text = readInfra("nginx.conf")
    assert.match(text, /^ {2}resolver 127\.0\.0\.11 valid=\d+s/m)
    const servers = Array.from(text.matchAll(/^ {4}server (\S+):8080(.*);$/gm), ([, name, options]) => ({ name, options }))
    assert.deepStrictEqual(
      servers.map(({ name }) => name),
      names,
    )
    for (const { name, options } of servers) assert.match(options ?? "", /^ resolve /, name)
    for (const [upstream] of text.matchAll(/^ {2}upstream [^}]*\}/gm)) assert.match(upstream, /^ {4}zone /m)
  })
})

describe.skipIf(nginx === "")("infra/nginx.conf", () => {
  let backends: ReadonlyArray<Backend> = []
  let proxy: ChildProcess | undefined
  let httpsPort = 0
  let httpPort = 0
  let printed = ""

  beforeAll(async () => {
    backends = await Promise.all(names.map(startBackend))
    httpsPort = await findFreePort()
    httpPort = await findFreePort()
    const certificate = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1", "-subj", "/CN=localhost"]
    const { code, output } = runProgram("openssl", ["req", ...certificate, "-keyout", "tls.key", "-out", "tls.crt"], { cwd: folder })
    assert.strictEqual(code, 0, output)
    const ports = names.map((name, index) => [`${name}:8080`, `127.0.0.1:${backends[index]?.port}`] as const)
    const text = ports
      .reduce((config, [name, address]) => config.replaceAll(name, address), readInfra("nginx.conf"))
      .replace("listen 8443 ssl;", `listen 127.0.0.1:${httpsPort} ssl;`)
      .replace("listen 8080;", `listen 127.0.0.1:${httpPort};`)
      .replaceAll("/tmp/", `${folder}/`)
      .replaceAll("/etc/nginx/certificates", folder)
      // Unknown before nginx 1.25.1.
      .replace("http2 on;", "")
      .replaceAll(" resolve ", knowsResolve() ? " resolve " : " ")
    writeFileSync(join(folder, "nginx.conf"), text)
    const checked = runProgram(nginx, ["-t", "-p", folder, "-c", join(folder, "nginx.conf")])
    assert.strictEqual(checked.code, 0, checked.output)
    proxy = spawn(nginx, ["-p", folder, "-c", join(folder, "nginx.conf"), "-g", "daemon off;"], { stdio: ["ignore", "ignore", "pipe"] })
    proxy.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
      printed += chunk
    })
    await vi.waitFor(() => get("/ready"), { timeout: 20_000, interval: 100 })
  })

  afterAll(async () => {
    const ended = proxy && new Promise((resolve) => proxy?.once("close", resolve))
    proxy?.kill("SIGTERM")
    await ended
    for (const { server } of backends) {
      server.closeAllConnections()
      server.close()
    }
  })

  /** Sends a request through the proxy. Resolves with the first bytes of the body, and closes the connection. */
  const get = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<string> =>
    new Promise((resolve, reject) => {
      const asked = request(
        { host: "127.0.0.1", port: httpsPort, path, headers, rejectUnauthorized: false, timeout: 5_000 },
        (response) => {
          response.setEncoding("utf8").once("data", (chunk: string) => {
            resolve(chunk)
            asked.destroy()
          })
        },
      )
      asked.on("timeout", () => asked.destroy(new Error(`no bytes of ${path} within 5 s; nginx printed: ${printed}`)))
      asked.on("error", reject).end()
    })

  it("sends requests to both gateways, and feeds to both feed processes", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => get("/api/v1/cs2/live")))
    assert.sameMembers([...new Set(answers)], ["gateway-1", "gateway-2"])
    const fed = await Promise.all(Array.from({ length: 10 }, () => get("/feed/v1/matches")))
    assert.sameMembers([...new Set(fed)], ["feed-1", "feed-2"])
  })

  it("appends the client's address to what the client claims", async () => {
    await get("/claimed", { "x-forwarded-for": "203.0.113.7" })
    const seen = backends.flatMap((backend) => backend.seen).find(({ url }) => url === "/claimed")
    assert.strictEqual(seen?.["x-forwarded-for"], "203.0.113.7, 127.0.0.1")
    assert.strictEqual(seen?.["x-forwarded-proto"], "https")
  })

  it("passes events as they come", async () => {
    assert.strictEqual(await get("/stream/events"), "data: first\n\n")
  })

  it("passes WebSockets", async () => {
    const socket = new WebSocket(`wss://127.0.0.1:${httpsPort}/stream`, { rejectUnauthorized: false })
    const answer = await new Promise<string>((resolve, reject) => {
      socket.on("open", () => socket.send("hello"))
      socket.on("message", (data) => resolve(String(data)))
      socket.on("error", reject)
    })
    socket.close()
    assert.match(answer, /^gateway-[12]: hello$/)
  })

  it("rejects two different lengths of a body, which the server behind it does not", async () => {
    const { connect } = await import("node:tls")
    const socket = connect({ host: "127.0.0.1", port: httpsPort, rejectUnauthorized: false })
    const line = await new Promise<string>((resolve, reject) => {
      socket.on("secureConnect", () => socket.write("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"))
      socket.on("data", (chunk) => resolve(String(chunk)))
      socket.on("error", reject)
    })
    socket.destroy()
    assert.match(line, /^HTTP\/1\.1 400 /)
  })

  it("answers its own health check, and sends other requests without TLS to https", async () => {
    const healthy = await fetch(`http://127.0.0.1:${httpPort}/health/proxy`)
    assert.strictEqual(await healthy.text(), "ok\n")
    const redirect = await fetch(`http://127.0.0.1:${httpPort}/api?a=1`, { redirect: "manual" })
    assert.strictEqual(redirect.status, 308)
    assert.strictEqual(redirect.headers.get("location"), "https://127.0.0.1/api?a=1")
  })

  it("sends requests to the other gateway if one is gone", async () => {
    const [first] = backends
    first?.server.closeAllConnections()
    await new Promise((resolve) => first?.server.close(resolve))
    const answers = await Promise.all(Array.from({ length: 10 }, () => get("/api/v1/cs2/live")))
    assert.deepStrictEqual([...new Set(answers)], ["gateway-2"])
  })
})
