// Owns the load: keep-alive connections over raw sockets, one request in flight on each, each with the next of its keys. A process of its
// own, so that its work is not counted as the server's. Any other answer than 200 ends the measurement: a refusal is cheap and would flatter.
import { KeepAlive } from "../lib/KeepAlive.ts"
import { percentile, rounded } from "../lib/statistics.ts"
import type { LoadOrder, LoadResult } from "./orders.ts"

const openConnection = (port: number, requests: ReadonlyArray<Buffer>, latenciesUs: Array<number>): KeepAlive => {
  let sent = 0
  return new KeepAlive(port, {
    next: () => {
      const request = requests[sent++ % requests.length]
      if (request === undefined) throw new Error("There are more connections than keys")
      return request
    },
    received: ({ body, head, latencyUs, status }) => {
      if (status !== 200) throw new Error(`Unexpected response: ${head}\n${body.toString("utf8", 0, 1_000)}`)
      latenciesUs.push(latencyUs)
    },
  })
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
  const latenciesUs: Array<number> = []
  const connections = Array.from({ length: count }, (_, index) =>
    openConnection(
      port,
      requests.filter((_, key) => key % count === index),
      latenciesUs,
    ),
  )
  setTimeout(() => {
    const seconds = (performance.now() - began) / 1_000
    const { system, user } = process.cpuUsage(cpu)
    for (const connection of connections) connection.stop()
    const latencies = Float64Array.from(latenciesUs).sort()
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
