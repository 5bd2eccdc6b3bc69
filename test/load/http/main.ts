// Owns the comparison "an HttpApi on packages/uws against the same HttpApi on node:http": `node test/load/http/main.ts
// [--json]`. Each server is a separate process and is warmed up first. Then both are measured in turns, so that
// disturbances affect both.
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { cpus } from "node:os"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { helpIfAsked } from "../lib/help.ts"
import type { LoadOrder, LoadResult } from "./generator.ts"

const usage = `npm run bench -- http [flags]
  --json               JSON instead of a table`
helpIfAsked(usage)

const { values } = parseArgs({ options: { json: { type: "boolean", default: false } } })

const connections = 64
const warmUpMs = 3_000
const roundMs = 5_000
const rounds = 4

interface Measured {
  readonly rps: number
  readonly cpuUsPerRequest: number
}

interface Report {
  readonly machine: string
  readonly node: string
  readonly ours: Measured
  readonly nodeHttp: Measured
  /** `ours.rps / nodeHttp.rps`. The bar is 1.4. */
  readonly ratio: number
  readonly generatorCpuShare: number
}

const start = (file: string, ...args: ReadonlyArray<string>): ChildProcess =>
  fork(fileURLToPath(new URL(file, import.meta.url)), [...args], { execArgv: [], stdio: "inherit" })

/** Resolves to the next message of a child. Fails if it exits instead. */
const receive = async <A>(child: ChildProcess): Promise<A> => {
  const done = new AbortController()
  const { signal } = done
  try {
    return await Promise.race([
      once(child, "message", { signal }).then(([value]): A => value),
      once(child, "exit", { signal }).then(([code]) => Promise.reject(new Error(`A measured process exited with code ${code}`))),
    ])
  } finally {
    done.abort()
  }
}

const ask = <A>(child: ChildProcess, question: object): Promise<A> => {
  const answer = receive<A>(child)
  child.send(question)
  return answer
}

class Variant {
  responses = 0
  seconds = 0
  cpuUs = 0
  generatorCpuSeconds = 0
  readonly #server: ChildProcess
  readonly #generator: ChildProcess
  #port = 0

  constructor(name: "uws" | "node", generator: ChildProcess) {
    this.#server = start("server.ts", name)
    this.#generator = generator
  }

  async warmUp(): Promise<void> {
    this.#port = (await receive<{ port: number }>(this.#server)).port
    await this.#load(warmUpMs)
  }

  async measure(): Promise<void> {
    const before = await this.#cpuUs()
    const result = await this.#load(roundMs)
    this.cpuUs += (await this.#cpuUs()) - before
    this.responses += result.responses
    this.seconds += result.seconds
    this.generatorCpuSeconds += result.cpuShare * result.seconds
  }

  get measured(): Measured {
    return { rps: Math.round(this.responses / this.seconds), cpuUsPerRequest: Number((this.cpuUs / this.responses).toFixed(1)) }
  }

  stop(): void {
    this.#server.kill("SIGKILL")
  }

  async #cpuUs(): Promise<number> {
    const { cpuUs } = await ask<{ cpuUs: NodeJS.CpuUsage }>(this.#server, {})
    return cpuUs.user + cpuUs.system
  }

  #load(milliseconds: number): Promise<LoadResult> {
    const order: LoadOrder = { port: this.#port, connections, milliseconds }
    return ask<LoadResult>(this.#generator, order)
  }
}

const compare = async (): Promise<Report> => {
  const generator = start("generator.ts")
  const ours = new Variant("uws", generator)
  const nodeHttp = new Variant("node", generator)
  try {
    await ours.warmUp()
    await nodeHttp.warmUp()
    for (let round = 0; round < rounds; round++) {
      await ours.measure()
      await nodeHttp.measure()
    }
    return {
      machine: `${cpus()[0]?.model ?? "unknown"} x ${cpus().length}`,
      node: process.version,
      ours: ours.measured,
      nodeHttp: nodeHttp.measured,
      ratio: Number((ours.measured.rps / nodeHttp.measured.rps).toFixed(2)),
      generatorCpuShare: Number(((ours.generatorCpuSeconds + nodeHttp.generatorCpuSeconds) / (ours.seconds + nodeHttp.seconds)).toFixed(2)),
    }
  } finally {
    ours.stop()
    nodeHttp.stop()
    generator.kill("SIGKILL")
  }
}

const table = (report: Report): string =>
  [
    `REST read of 1 KB JSON, ${connections} connections, ${report.machine}, node ${report.node}`,
    "                    requests/s   CPU us/request",
    `packages/uws      ${String(report.ours.rps).padStart(12)} ${String(report.ours.cpuUsPerRequest).padStart(16)}`,
    `node:http         ${String(report.nodeHttp.rps).padStart(12)} ${String(report.nodeHttp.cpuUsPerRequest).padStart(16)}`,
    `ratio ${report.ratio} (bar 1.4), load generator used ${Math.round(report.generatorCpuShare * 100)} % of a core`,
  ].join("\n")

const report = await compare()
process.stdout.write(`${values.json ? JSON.stringify(report) : table(report)}\n`)
