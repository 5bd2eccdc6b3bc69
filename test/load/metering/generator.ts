// Owns the load: keep-alive connections over raw sockets, one request in flight on each, with the keys of each
// connection in turn. One server is loaded at a time, in slices that are shorter than most disturbances of a machine.
// Runs in a separate process, so that its work does not count as a server's. It never sleeps: waking a sleeping process
// costs the server as much as metering does, and the slower server would wake it more often. Any status but 200 ends
// the measurement: rejections are cheap and would improve the numbers.
import { Effect, Random } from "effect"
import { KeepAlive } from "../lib/KeepAlive.ts"
import { monotonicUs } from "../lib/monotonic.ts"
import { percentile, rounded } from "../lib/statistics.ts"
import type { Listening, LoadOrder, LoadResult } from "./orders.ts"

/** One server and the connections to it. */
class Target {
  readonly #connections: ReadonlyArray<KeepAlive>
  readonly #latenciesUs: Array<number> = []
  #until = 0
  #waiting = 0
  /** Called when all connections wait. */
  #allWait: () => void
  readonly connected: Promise<void>
  #us = 0
  #cpuUs = 0

  constructor({ path, port, secrets }: Listening, count: number) {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.connected = promise
    this.#allWait = resolve
    // Each customer has its own address, because a gateway limits the number of unknown keys per address.
    const requests = secrets.map((secret, key) =>
      Buffer.from(
        `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-forwarded-for: 10.0.${key >> 8}.${key & 255}\r\n` +
          `accept: application/json\r\nx-api-key: ${secret}\r\n\r\n`,
      ),
    )
    this.#connections = Array.from({ length: count }, (_, index) =>
      this.#connection(
        port,
        requests.filter((_, key) => key % count === index),
      ),
    )
  }

  /** Resolves with the last response to the requests sent within `milliseconds`. */
  async slice(milliseconds: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const cpu = process.cpuUsage()
    const began = monotonicUs()
    this.#allWait = resolve
    this.#waiting = 0
    this.#until = began + milliseconds * 1e3
    for (const connection of this.#connections) connection.wake()
    await promise
    const { system, user } = process.cpuUsage(cpu)
    this.#us += monotonicUs() - began
    this.#cpuUs += user + system
  }

  stop(): LoadResult {
    for (const connection of this.#connections) connection.stop()
    const latencies = Float64Array.from(this.#latenciesUs).sort()
    return {
      responses: latencies.length,
      seconds: this.#us / 1e6,
      cpuUs: this.#cpuUs,
      p50Ms: rounded(percentile(latencies, 0.5) / 1e3, 2),
      p99Ms: rounded(percentile(latencies, 0.99) / 1e3, 2),
    }
  }

  #connection(port: number, requests: ReadonlyArray<Buffer>): KeepAlive {
    let sent = 0
    return new KeepAlive(port, {
      next: () => {
        if (monotonicUs() >= this.#until) {
          this.#waiting += 1
          if (this.#waiting === this.#connections.length) this.#allWait()
          return "wait"
        }
        const request = requests[sent++ % requests.length]
        if (request === undefined) throw new Error("There are more connections than keys")
        return request
      },
      received: ({ body, head, latencyUs, status }) => {
        if (status !== 200) throw new Error(`Unexpected response: ${head}\n${body.toString("utf8", 0, 1_000)}`)
        this.#latenciesUs.push(latencyUs)
      },
    })
  }
}

/** Keeps the event loop from waiting until the returned function is called. */
const stayAwake = (): (() => void) => {
  let isAwake = true
  const turn = (): void => {
    if (isAwake) setImmediate(turn)
  }
  turn()
  return () => {
    isAwake = false
  }
}

const run = async ({ connections, sliceMs, slices, targets: listening }: LoadOrder): Promise<void> => {
  const targets = listening.map((one) => new Target(one, connections))
  for (const target of targets) await target.connected
  const sleep = stayAwake()
  for (let slice = 0; slice < slices; slice++) {
    // In random order, because the work of a server after its slice (garbage collection, settling with the ledger)
    // slows the next server.
    for (const target of Effect.runSync(Random.shuffle(targets))) await target.slice(sliceMs)
  }
  sleep()
  const results: ReadonlyArray<LoadResult> = targets.map((target) => target.stop())
  process.send?.(results)
}

process.on("message", (order: LoadOrder) => void run(order))
process.on("disconnect", () => process.exit(0))
