// Owns the load: keep-alive connections over raw sockets, one request in flight on each, counted by whole responses.
// A child process of its own, so that its work is not counted as the server's; it reports how much of a core it used itself.
import { connect, type Socket } from "node:net"

export interface LoadOrder {
  readonly port: number
  readonly connections: number
  readonly milliseconds: number
}

export interface LoadResult {
  readonly responses: number
  readonly seconds: number
  /** Share of one core this process was busy. Near 1 means that it, not the server, was the limit. */
  readonly cpuShare: number
}

const head = "HTTP/1.1 200 OK\r\n"

/** Sends its request again whenever a response is complete, until told to stop. Any other answer than 200 ends the measurement. */
class Connection {
  responses = 0
  readonly #socket: Socket
  readonly #request: Buffer
  #stopped = false
  #missing = 0

  constructor(port: number, index: number) {
    const path = `/matches/${1000 + index}`
    this.#request = Buffer.from(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-client: load\r\naccept: application/json\r\n\r\n`)
    this.#socket = connect({ port, host: "127.0.0.1", noDelay: true }, () => this.#socket.write(this.#request))
    this.#socket.on("data", (chunk) => this.#received(chunk))
    this.#socket.on("close", () => {
      if (!this.#stopped) throw new Error("The server closed a connection under load")
    })
  }

  stop(): void {
    this.#stopped = true
    this.#socket.destroy()
  }

  #received(chunk: Buffer): void {
    this.#missing = this.#missing === 0 ? responseLength(chunk) - chunk.length : this.#missing - chunk.length
    if (this.#missing > 0) return
    if (this.#missing < 0) throw new Error("Received more than one response to one request")
    this.responses++
    if (!this.#stopped) this.#socket.write(this.#request)
  }
}

const responseLength = (chunk: Buffer): number => {
  const end = chunk.indexOf("\r\n\r\n")
  const text = chunk.toString("latin1", 0, end)
  const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1]
  if (end === -1 || !text.startsWith(head) || length === undefined) throw new Error(`Unexpected response: ${text}`)
  return end + 4 + Number(length)
}

const run = (order: LoadOrder): void => {
  const started = performance.now()
  const cpu = process.cpuUsage()
  const connections = Array.from({ length: order.connections }, (_, index) => new Connection(order.port, index))
  setTimeout(() => {
    const seconds = (performance.now() - started) / 1000
    const { user, system } = process.cpuUsage(cpu)
    let responses = 0
    for (const connection of connections) {
      connection.stop()
      responses += connection.responses
    }
    const result: LoadResult = { responses, seconds, cpuShare: (user + system) / 1e6 / seconds }
    process.send?.(result)
  }, order.milliseconds)
}

process.on("message", (order: LoadOrder) => run(order))
process.on("disconnect", () => process.exit(0))
