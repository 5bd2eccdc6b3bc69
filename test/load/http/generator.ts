// Owns the load: keep-alive connections over raw sockets, one request in flight on each, counted by whole responses.
// A child process of its own, so that its work is not counted as the server's; it reports how much of a core it used itself.
import { KeepAlive } from "../lib/KeepAlive.ts"

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

/** Sends its request again whenever a response is whole. Any other answer than 200 ends the measurement. */
const openConnection = (port: number, index: number, received: () => void): KeepAlive => {
  const path = `/matches/${1000 + index}`
  const request = Buffer.from(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-client: load\r\naccept: application/json\r\n\r\n`)
  return new KeepAlive(port, {
    next: () => request,
    received: ({ head, status }) => {
      if (status !== 200) throw new Error(`Unexpected response: ${head}`)
      received()
    },
  })
}

const run = (order: LoadOrder): void => {
  const started = performance.now()
  const cpu = process.cpuUsage()
  let responses = 0
  const connections = Array.from({ length: order.connections }, (_, index) => openConnection(order.port, index, () => responses++))
  setTimeout(() => {
    const seconds = (performance.now() - started) / 1000
    const { user, system } = process.cpuUsage(cpu)
    for (const connection of connections) connection.stop()
    const result: LoadResult = { responses, seconds, cpuShare: (user + system) / 1e6 / seconds }
    process.send?.(result)
  }, order.milliseconds)
}

process.on("message", (order: LoadOrder) => run(order))
process.on("disconnect", () => process.exit(0))
