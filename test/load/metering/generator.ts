// Owns the load: keep-alive connections over raw sockets, one request in flight on each, each with the next of its keys. A process of its
// own, so that its work is not counted as the server's. Any other answer than 200 ends the measurement: a refusal is cheap and would flatter.
import { connect, type Socket } from "node:net"
import { monotonicUs } from "../lib/monotonic.ts"
import { percentile, rounded } from "../lib/statistics.ts"
import type { LoadOrder, LoadResult } from "./orders.ts"

const OK = "HTTP/1.1 200 OK\r\n"

class Connection {
  readonly latenciesUs: Array<number> = []
  readonly #socket: Socket
  readonly #requests: ReadonlyArray<Buffer>
  #sent = 0
  #sentAt = 0
  #stopped = false
  #missing = 0

  constructor(port: number, requests: ReadonlyArray<Buffer>) {
    this.#requests = requests
    this.#socket = connect({ port, host: "127.0.0.1", noDelay: true }, () => this.#send())
    this.#socket.on("data", (chunk) => this.#received(chunk))
    this.#socket.on("close", () => {
      if (!this.#stopped) throw new Error("The server closed a connection under load")
    })
  }

  stop(): void {
    this.#stopped = true
    this.#socket.destroy()
  }

  #send(): void {
    const request = this.#requests[this.#sent % this.#requests.length]
    if (request === undefined) throw new Error("There are more connections than keys")
    this.#sent += 1
    this.#sentAt = monotonicUs()
    this.#socket.write(request)
  }

  #received(chunk: Buffer): void {
    this.#missing = this.#missing === 0 ? responseLength(chunk) - chunk.length : this.#missing - chunk.length
    if (this.#missing > 0) return
    if (this.#missing < 0) throw new Error("Received more than one response to one request")
    this.latenciesUs.push(monotonicUs() - this.#sentAt)
    if (!this.#stopped) this.#send()
  }
}

const responseLength = (chunk: Buffer): number => {
  const end = chunk.indexOf("\r\n\r\n")
  const text = chunk.toString("latin1", 0, end)
  const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1]
  if (end === -1 || !text.startsWith(OK) || length === undefined)
    throw new Error(`Unexpected response: ${chunk.toString("utf8", 0, 1_000)}`)
  return end + 4 + Number(length)
}

const run = ({ connections: count, milliseconds, path, port, secrets }: LoadOrder): void => {
  // Each customer has an address of his own: a gateway lets one address try few keys that it has not seen before.
  const requests = secrets.map((secret, key) =>
    Buffer.from(
      `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-forwarded-for: 10.0.${key >> 8}.${key & 255}\r\n` +
        `accept: application/json\r\nx-api-key: ${secret}\r\n\r\n`,
    ),
  )
  const began = performance.now()
  const cpu = process.cpuUsage()
  const connections = Array.from(
    { length: count },
    (_, index) =>
      new Connection(
        port,
        requests.filter((_, key) => key % count === index),
      ),
  )
  setTimeout(() => {
    const seconds = (performance.now() - began) / 1_000
    const { system, user } = process.cpuUsage(cpu)
    for (const connection of connections) connection.stop()
    const latencies = Float64Array.from(connections.flatMap(({ latenciesUs }) => latenciesUs)).sort()
    const result: LoadResult = {
      responses: latencies.length,
      seconds,
      cpuUs: user + system,
      p50Ms: rounded(percentile(latencies, 0.5) / 1e3, 2),
      p99Ms: rounded(percentile(latencies, 0.99) / 1e3, 2),
    }
    process.send?.(result)
  }, milliseconds)
}

process.on("message", (order: LoadOrder) => run(order))
process.on("disconnect", () => process.exit(0))
