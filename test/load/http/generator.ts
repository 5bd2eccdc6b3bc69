// Owns the load: keep-alive connections over raw sockets, one request in flight on each, counted by complete responses.
// Runs in a separate child process, so that its work does not count as the server's. Reports its own CPU use.
import { KeepAlive } from "../lib/KeepAlive.ts"

export interface LoadOrder {
  readonly port: number
  readonly connections: number
  readonly milliseconds: number
}

export interface LoadResult {
  readonly responses: number
  readonly seconds: number
  /** Share of one core that this process used. Near 1, this process and not the server was the limit. */
  readonly cpuShare: number
}

/**
 * Opens a connection that sends its request again after each complete response. Any status but 200 ends the
 * measurement.
 */
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
