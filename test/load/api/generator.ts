// Owns the load: connections that each walk through the addresses from a different start. Runs in a separate process,
// so that its work does not count as the server's. Any status but 2xx and 304 counts as a failure and is recorded with
// its address: rejections are cheap and would improve the numbers.
import { KeepAlive, type Received } from "../lib/KeepAlive.ts"
import { median, percentile, rounded } from "../lib/statistics.ts"
import type { Failure, Latency, LoadOrder, LoadResult } from "./orders.ts"

const FAILURES_SHOWN = 5
const SLOWEST_SHOWN = 12

/** Entity tags by path. They are kept between orders: the warm-up collects the tags that the measurement sends. */
const tags = new Map<string, string>()

class Load {
  readonly #order: LoadOrder
  readonly #plain: ReadonlyArray<Buffer>
  /** Latencies per address, in order of arrival. */
  readonly #latencies: ReadonlyArray<Array<number>>
  readonly #failures: Array<Failure> = []
  #asked = 0
  #bytes = 0
  #notModified = 0
  #failed = 0

  constructor(order: LoadOrder) {
    this.#order = order
    this.#plain = order.addresses.map(({ path }) => requestOf(path, order.secret))
    this.#latencies = order.addresses.map(() => [])
  }

  connect(index: number): KeepAlive {
    const { addresses, connections, port, times = Number.POSITIVE_INFINITY } = this.#order
    let at = Math.floor((addresses.length * index) / connections) - 1
    return new KeepAlive(port, {
      next: () => {
        if (this.#asked++ >= times * addresses.length) return undefined
        at = (at + 1) % addresses.length
        return this.#request(at)
      },
      received: (answer) => this.#received(at, answer),
    })
  }

  result(seconds: number, cpuUs: number): LoadResult {
    const endpoints = new Map<string, Array<number>>()
    const slowest = this.#order.addresses.map(({ endpoint, path }, index) => {
      const latencies = this.#latencies[index] ?? []
      endpoints.set(endpoint, [...(endpoints.get(endpoint) ?? []), ...latencies])
      const ms = (us: number) => rounded(us / 1e3, 2)
      return { path, responses: latencies.length, bestMs: ms(Math.min(...latencies)), medianMs: ms(median(latencies)) }
    })
    return {
      ...latencyOf(this.#latencies.flat()),
      seconds,
      cpuUs,
      bytes: this.#bytes,
      notModified: this.#notModified,
      failed: this.#failed,
      failures: this.#failures,
      endpoints: Object.fromEntries([...endpoints].map(([endpoint, latencies]) => [endpoint, latencyOf(latencies)])),
      slowest: slowest
        .filter(({ responses }) => responses > 0)
        .sort((a, b) => b.bestMs - a.bestMs)
        .slice(0, SLOWEST_SHOWN),
    }
  }

  #request(at: number): Buffer {
    const { addresses, conditional, secret } = this.#order
    const path = addresses[at]?.path ?? ""
    const tag = conditional ? tags.get(path) : undefined
    const request = tag === undefined ? this.#plain[at] : requestOf(path, secret, tag)
    if (request === undefined) throw new Error("There is no address to request")
    return request
  }

  #received(at: number, { body, bytes, head, latencyUs, status }: Received): void {
    const path = this.#order.addresses[at]?.path ?? ""
    this.#bytes += bytes
    if (status === 304) this.#notModified++
    else if (status < 200 || status > 299) {
      this.#failed++
      if (this.#failures.length < FAILURES_SHOWN) this.#failures.push({ path, status, body: body.toString("utf8", 0, 300) })
      return
    } else if (this.#order.conditional) {
      const tag = /\r\netag: (\S+)/i.exec(head)?.[1]
      if (tag !== undefined) tags.set(path, tag)
    }
    this.#latencies[at]?.push(latencyUs)
  }
}

const requestOf = (path: string, secret: string, tag?: string): Buffer =>
  Buffer.from(
    `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\naccept: application/json\r\nx-api-key: ${secret}\r\n` +
      `${tag === undefined ? "" : `if-none-match: ${tag}\r\n`}\r\n`,
  )

const latencyOf = (latenciesUs: ReadonlyArray<number>): Latency => {
  const sorted = Float64Array.from(latenciesUs).sort()
  const at = (share: number) => rounded(percentile(sorted, share) / 1e3, 2)
  return { responses: sorted.length, p50Ms: at(0.5), p90Ms: at(0.9), p99Ms: at(0.99), maxMs: at(1) }
}

const run = (order: LoadOrder): void => {
  const load = new Load(order)
  const began = performance.now()
  const cpu = process.cpuUsage()
  const connections = Array.from({ length: order.connections }, (_, index) => load.connect(index))
  let over = false
  const finish = () => {
    if (over) return
    over = true
    clearTimeout(timer)
    clearInterval(watch)
    const seconds = (performance.now() - began) / 1_000
    const { system, user } = process.cpuUsage(cpu)
    for (const connection of connections) connection.stop()
    process.send?.(load.result(seconds, user + system))
  }
  const timer = setTimeout(finish, order.milliseconds)
  const watch = setInterval(() => {
    if (connections.every(({ isStopped }) => isStopped)) finish()
  }, 20)
}

process.on("message", (order: LoadOrder) => run(order))
process.on("disconnect", () => process.exit(0))
