// Owns the benchmark of webhooks: one worker on PostgreSQL delivers to receivers on this machine. JSON on stdout,
// progress on stderr. See flags.ts for the flags and scenarios.ts for what is measured.
import { Migrations } from "@matchpoint/games/Migrations"
import { Postgres } from "@matchpoint/store/database/Postgres"
import { Accounts } from "@matchpoint/store/keys/Accounts"
import { webhookRepositories } from "@matchpoint/store/ServiceRepositories"
import { WebhookWakeups } from "@matchpoint/store/webhooks/WebhookWakeups"
import { createDatabase } from "@matchpoint/testing/createDatabase"
import { Effect, Layer, Redacted } from "effect"
import { ask, start, stop } from "../lib/child.ts"
import { describeMachine } from "../lib/machine.ts"
import { subscribe } from "./database.ts"
import { readFlags } from "./flags.ts"
import type { ReceiverQuestion } from "./messages.ts"
import { measure } from "./scenarios.ts"

const flags = readFlags(process.argv.slice(2))

const processOf = (file: string, argument: string) =>
  Effect.acquireRelease(
    Effect.sync(() => start(new URL(file, import.meta.url), [argument])),
    (child) => Effect.promise(() => stop(child)),
  )

const program = Effect.gen(function* () {
  const url = yield* createDatabase(flags.postgres, null)
  const repositories = Layer.mergeAll(webhookRepositories, Accounts.layer).pipe(
    Layer.provideMerge(WebhookWakeups.layerPostgres),
    Layer.provide(Migrations.layer),
    Layer.provideMerge(Postgres.layer({ url })),
  )
  const receiver = yield* processOf("receiver.ts", String(flags.endpoints))
  const ports = yield* Effect.promise(() => ask<ReceiverQuestion, ReadonlyArray<number>>(receiver, { _tag: "Ports" }, 30_000))
  const startWorker = processOf("worker.ts", Redacted.value(url))
  return yield* Effect.andThen(subscribe(ports, flags.matches), measure(flags, receiver, startWorker)).pipe(Effect.provide(repositories))
})

const results = await Effect.runPromise(Effect.scoped(program))
const { postgres: _, ...shown } = flags
const report = { bench: "webhooks", machine: await describeMachine(), node: process.version, flags: shown, results }
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
