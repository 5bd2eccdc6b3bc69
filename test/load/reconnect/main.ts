/**
 * `npm run bench -- reconnect [flags]`: clients that reconnect at the same moment with keys that no gateway has cached.
 * Gateways are processes on PostgreSQL and NATS. Two of them get half of the clients each. Then the first one is killed,
 * and its clients connect to a third one. JSON on stdout, progress on stderr.
 */
import { parseArgs } from "node:util"
import { Migrations } from "@matchpoint/games/Migrations"
import { Postgres } from "@matchpoint/store/database/Postgres"
import { createDatabase } from "@matchpoint/testing/createDatabase"
import { Effect, Layer, Redacted } from "effect"
import { ask, start, stop } from "../lib/child.ts"
import { alwaysJson, helpIfAsked } from "../lib/help.ts"
import { describeMachine } from "../lib/machine.ts"
import { percentile } from "../lib/statistics.ts"
import { cpuSecondsOf, createKeys, type Gateway, startGateway } from "./gateways.ts"
import type { GeneratorOrder, Reconnected } from "./orders.ts"

const usage = `npm run bench -- reconnect [flags]
  --sockets <n>         default 20000
  --per-key <n>         sockets of each key, default 4
  --addresses <n>       client addresses from 127.0.0.2 on, default 40: the limit of handshakes per address is the default one
  --postgres <url>      server for a temporary database, default $DATABASE_URL
  --nats <url>          default $NATS_URL
  --redis <url>         counts connections in Redis, default: in PostgreSQL
${alwaysJson}`
helpIfAsked(usage)

const { values } = parseArgs({
  options: {
    sockets: { type: "string", default: "20000" },
    "per-key": { type: "string", default: "4" },
    addresses: { type: "string", default: "40" },
    postgres: { type: "string", default: process.env["DATABASE_URL"] ?? "" },
    nats: { type: "string", default: process.env["NATS_URL"] ?? "" },
    redis: { type: "string" },
    json: { type: "boolean", default: false },
  },
})
const sockets = Number(values.sockets)
const socketsPerKey = Number(values["per-key"])
const addresses = Number(values.addresses)
if (!(sockets >= 2 && sockets <= 38_000 && socketsPerKey >= 1 && addresses >= 1 && addresses <= 250)) {
  throw new Error("--sockets is 2..38000, --per-key 1 or more, --addresses 1..250")
}
if (values.postgres === "" || values.nats === "") throw new Error("set DATABASE_URL and NATS_URL, or --postgres and --nats")

const TIMEOUT_MS = 120_000
const half = Math.floor(sockets / 2)

const generatorProcess = Effect.acquireRelease(
  Effect.sync(() => start(new URL("generator.ts", import.meta.url))),
  (child) => Effect.promise(() => stop(child)),
)

const gatewayProcess = (url: Redacted.Redacted<string>) =>
  Effect.acquireRelease(
    Effect.promise(() =>
      startGateway({
        DATABASE_URL: Redacted.value(url),
        NATS_URL: values.nats,
        ...(values.redis === undefined ? {} : { REDIS_URL: values.redis }),
      }),
    ),
    ({ child }) => Effect.sync(() => child.kill("SIGKILL")),
  )

const summaryOf = (answers: ReadonlyArray<Reconnected>, cpuSeconds: number) => {
  const ready = answers.flatMap(({ readyMs }) => readyMs).sort((one, other) => one - other)
  const refused: Record<string, number> = {}
  for (const answer of answers) for (const [why, count] of Object.entries(answer.refused)) refused[why] = (refused[why] ?? 0) + count
  return {
    connected: ready.length,
    refused,
    p50Ms: Math.round(percentile(ready, 0.5)),
    p99Ms: Math.round(percentile(ready, 0.99)),
    lastMs: Math.round(percentile(ready, 1)),
    /** Of the gateways, for each client, in microseconds. */
    cpuUsPerClient: Math.round((cpuSeconds / ready.length) * 1_000_000),
  }
}

const program = Effect.gen(function* () {
  const url = yield* createDatabase(values.postgres, null)
  yield* createKeys(Math.ceil(half / socketsPerKey) * 2).pipe(
    Effect.provide(Migrations.layer.pipe(Layer.provideMerge(Postgres.layer({ url, maxConnections: 1 })))),
  )
  const gateways = yield* Effect.all([gatewayProcess(url), gatewayProcess(url), gatewayProcess(url)], { concurrency: 3 })
  const generators = yield* Effect.all([generatorProcess, generatorProcess, generatorProcess])
  const [first, second, third] = gateways
  process.stderr.write("three gateways run\n")

  /** Opens half of the sockets at a gateway, with the keys of that half. */
  const crowd = (generator: number, gateway: Gateway, keys: 0 | 1) =>
    Effect.promise(() => {
      const child = generators[generator]
      if (child === undefined) throw new Error("There is no such generator")
      const order = { port: gateway.port, sockets: half, firstKey: keys * Math.ceil(half / socketsPerKey), socketsPerKey, addresses }
      return ask<GeneratorOrder, Reconnected>(child, order, TIMEOUT_MS)
    })

  const measured = (at: ReadonlyArray<Gateway>, crowds: ReadonlyArray<Effect.Effect<Reconnected>>) =>
    Effect.gen(function* () {
      const cpuSeconds = () => at.reduce((sum, gateway) => sum + cpuSecondsOf(gateway), 0)
      const before = cpuSeconds()
      const answers = yield* Effect.all(crowds, { concurrency: "unbounded" })
      return summaryOf(answers, cpuSeconds() - before)
    })

  const both = yield* measured([first, second], [crowd(0, first, 0), crowd(1, second, 1)])
  process.stderr.write(`two gateways, all at once: ${JSON.stringify(both)}\n`)
  yield* Effect.sync(() => first.child.kill("SIGKILL"))
  const failover = yield* measured([third], [crowd(2, third, 0)])
  process.stderr.write(`one killed, its clients at the third: ${JSON.stringify(failover)}\n`)
  return { bothAtOnce: both, failover }
})

const results = await Effect.runPromise(Effect.scoped(program))
const report = {
  bench: "reconnect",
  machine: await describeMachine(),
  node: process.version,
  flags: {
    sockets,
    socketsPerKey,
    keys: Math.ceil(half / socketsPerKey) * 2,
    addresses,
    counts: values.redis === undefined ? "PostgreSQL" : "Redis",
  },
  results,
}
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
