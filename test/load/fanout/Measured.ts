// Owns one kind of server with its crowd: two processes, and the rounds measured on them.
import type { ChildProcess } from "node:child_process"
import { ask, receive, start, stop } from "../lib/child.ts"
import { machineBusyUs } from "../lib/machine.ts"
import { monotonicUs } from "../lib/monotonic.ts"
import type { Delivered, GeneratorOrder, Listening, Published, ServerOrder, VariantName } from "./orders.ts"

export interface Load {
  readonly sockets: number
  /** Frames per second. */
  readonly rate: number
  /** Size of an update. */
  readonly bytes: number
  readonly seconds: number
}

export interface Round {
  readonly cpuUsPerFrame: number
  readonly deliveredPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly generatorCpuShare: number
  /** What processes other than the two used, as a share of one core. */
  readonly othersCpuShare: number
  /** Published, as a share of what the rate asked for. Below 1 the server could not keep up. */
  readonly keptUp: number
  /** Published times sockets, less what arrived. */
  readonly lost: number
  readonly unevenSockets: number
}

const START_TIMEOUT_MS = 10_000
const CONNECT_TIMEOUT_MS = 60_000
/** For a server that is far behind to get rid of what it has published. */
const DRAIN_TIMEOUT_MS = 60_000
const FIRST_WARM_UP_SECONDS = 2
const WARM_UP_SECONDS = 0.5

export class Measured {
  readonly name: VariantName
  /** Size of an update as it was really made. */
  readonly updateBytes: number
  readonly #load: Load
  readonly #server: ChildProcess
  readonly #generator: ChildProcess

  private constructor(name: VariantName, load: Load, server: ChildProcess, generator: ChildProcess, updateBytes: number) {
    this.name = name
    this.#load = load
    this.#server = server
    this.#generator = generator
    this.updateBytes = updateBytes
  }

  /** Starts both processes, connects the crowd and runs the code warm. `execArgv` are flags of Node for the server. */
  static async start(name: VariantName, load: Load, execArgv: ReadonlyArray<string>): Promise<Measured> {
    const server = start(new URL("server.ts", import.meta.url), [name, String(load.bytes)], execArgv)
    const generator = start(new URL("generator.ts", import.meta.url))
    try {
      const { port, updateBytes } = await receive<Listening>(server, START_TIMEOUT_MS)
      const connect: GeneratorOrder = { kind: "connect", variant: name, port, sockets: load.sockets, updateBytes }
      await ask(generator, connect, CONNECT_TIMEOUT_MS)
      const measured = new Measured(name, load, server, generator, updateBytes)
      await measured.#stretch(FIRST_WARM_UP_SECONDS)
      return measured
    } catch (error) {
      await Promise.all([stop(server), stop(generator)])
      throw error
    }
  }

  /** The caches are another server's after its turn, so each turn begins with a short stretch that does not count. */
  async round(): Promise<Round> {
    await this.#stretch(WARM_UP_SECONDS)
    return this.#stretch(this.#load.seconds)
  }

  async stop(): Promise<void> {
    await Promise.all([stop(this.#server), stop(this.#generator)])
  }

  /** CPU is counted from before the first frame until the last one has arrived, whatever the server does in between. */
  async #stretch(seconds: number): Promise<Round> {
    const { sockets, rate } = this.#load
    await this.#askGenerator({ kind: "begin" })
    const before = await this.#cpuUs()
    const busyBefore = machineBusyUs()
    const began = monotonicUs()
    const published = await this.#askServer<Published>({ kind: "publish", rate, seconds }, seconds * 1e3 + DRAIN_TIMEOUT_MS)
    const delivered = await this.#askGenerator<Delivered>({ kind: "settle", framesPerSocket: published.published })
    const cpuUs = (await this.#cpuUs()) - before
    const wallUs = monotonicUs() - began
    const othersUs = machineBusyUs() - busyBefore - cpuUs - delivered.cpuShare * wallUs
    const elapsedUs = Math.max(delivered.lastAtUs, published.endedAtUs) - published.startedAtUs
    return {
      cpuUsPerFrame: cpuUs / delivered.delivered,
      deliveredPerSecond: (delivered.delivered * 1e6) / elapsedUs,
      p50Ms: delivered.p50Ms,
      p99Ms: delivered.p99Ms,
      generatorCpuShare: delivered.cpuShare,
      othersCpuShare: othersUs / wallUs,
      keptUp: published.published / Math.ceil(rate * seconds),
      lost: published.published * sockets - delivered.delivered,
      unevenSockets: delivered.unevenSockets,
    }
  }

  async #cpuUs(): Promise<number> {
    const { user, system } = await this.#askServer<NodeJS.CpuUsage>({ kind: "cpu" }, START_TIMEOUT_MS)
    return user + system
  }

  #askServer<A>(order: ServerOrder, timeoutMs: number): Promise<A> {
    return ask<ServerOrder, A>(this.#server, order, timeoutMs)
  }

  #askGenerator<A>(order: GeneratorOrder): Promise<A> {
    return ask<GeneratorOrder, A>(this.#generator, order, DRAIN_TIMEOUT_MS)
  }
}
