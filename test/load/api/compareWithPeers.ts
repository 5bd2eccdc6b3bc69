// Owns the comparison with peers: fastify and node:http run the statements that our server sends for an address, over a
// plain pool of the same size. The servers take turns, so that disturbances affect all of them. Peers check no keys,
// meter nothing and do not decode their rows.
import type { ChildProcess } from "node:child_process"
import { ask, start, stop } from "../lib/child.ts"
import { median, rounded } from "../lib/statistics.ts"
import type { Flags } from "./flags.ts"
import { type Measured, measure, type Target } from "./measure.ts"
import type { Address, PeerListening, PeerOptions, Statements } from "./orders.ts"

export const peers = ["fastify", "nodeHttp"] as const

export const compareWithPeers = async (
  ours: Target,
  generator: ChildProcess,
  addresses: ReadonlyArray<Address>,
  statements: Statements,
  options: PeerOptions,
  flags: Flags,
) => {
  const targets: Array<Target & { readonly name: string }> = [{ ...ours, name: "matchpoint" }]
  try {
    for (const name of peers) {
      const child = start(new URL(`servers/${name}.ts`, import.meta.url), [JSON.stringify(options)])
      const { port } = await ask<Statements, PeerListening>(child, statements, 30_000)
      targets.push({ child, port, secret: ours.secret, name })
    }
    const rounds: Array<ReadonlyArray<Measured>> = []
    for (let round = 0; round < flags.rounds; round++) {
      const turn: Array<Measured> = []
      for (const target of targets) turn.push(await measure(target, generator, addresses, flags))
      rounds.push(turn)
    }
    return targets.map(({ name }, index) => summary(name, rounds, index))
  } finally {
    await Promise.all(targets.slice(1).map(({ child }) => stop(child)))
  }
}

export type Peer = ReturnType<typeof summary>

/** Returns medians over rounds. The ratio is computed within each round. */
const summary = (name: string, rounds: ReadonlyArray<ReadonlyArray<Measured>>, index: number) => {
  const of = (value: (one: Measured) => number) => rounded(median(rounds.flatMap((turn) => turn[index] ?? []).map(value)), 2)
  const rate = (turn: ReadonlyArray<Measured>, at: number) => turn[at]?.requestsPerSecond ?? Number.NaN
  return {
    name,
    requestsPerSecond: of((one) => one.requestsPerSecond),
    p50Ms: of((one) => one.p50Ms),
    p99Ms: of((one) => one.p99Ms),
    aloneP50Ms: of((one) => one.alone.p50Ms),
    serverMs: of((one) => one.serverMs),
    bytesPerResponse: of((one) => one.bytesPerResponse),
    failed: rounds.reduce((sum, turn) => sum + (turn[index]?.failed ?? 0), 0),
    /** Our requests per second divided by this server's. */
    ours: rounded(median(rounds.map((turn) => rate(turn, 0) / rate(turn, index))), 2),
  }
}
