/**
 * Measures how long the embedded database takes to open and how many calls per second each driver serves. Prints one
 * JSON line per driver. Run with the pinned Node: `node packages/store/test/storeBench.ts [postgres url]`.
 */
import { termsOf } from "@matchpoint/domain/accounts"
import { Day } from "@matchpoint/domain/metering/periods"
import { Migrations } from "@matchpoint/games/Migrations"
import { Repositories } from "@matchpoint/games/Repositories"
import { createDatabase } from "@matchpoint/testing/createDatabase"
import { temporaryDirectory } from "@matchpoint/testing/temporaryDirectory"
import { Clock, Effect, Layer } from "effect"
import type { SqlClient } from "effect/sql"
import { Embedded } from "../src/database/Embedded.ts"
import { Postgres } from "../src/database/Postgres.ts"
import { Accounts } from "../src/keys/Accounts.ts"
import { ApiKeys } from "../src/keys/ApiKeys.ts"
import { KeyRegister } from "../src/keys/KeyRegister.ts"
import { Checkpoints } from "../src/live/Checkpoints.ts"
import type { StoreError } from "../src/StoreError.ts"
import { UsageLedger } from "../src/usage/UsageLedger.ts"
import { accountWith, reportOf, thisMonth } from "./contract/usageSamples.ts"

const state = JSON.stringify({ rounds: Array.from({ length: 30 }, (_, round) => ({ round, winner: "ct", players: [1, 2, 3, 4, 5] })) })

const perSecond = Effect.fnUntraced(function* (
  count: number,
  concurrency: number,
  one: (index: number) => Effect.Effect<unknown, StoreError>,
) {
  const indexes = Array.from({ length: count }, (_, index) => index)
  const started = yield* Clock.currentTimeMillis
  yield* Effect.forEach(indexes, one, { concurrency, discard: true })
  return Math.round((count * 1_000) / ((yield* Clock.currentTimeMillis) - started))
})

const measure = Effect.fnUntraced(function* (count: number) {
  const keys = yield* ApiKeys
  const checkpoints = yield* Checkpoints
  const { accountId } = yield* Effect.flatMap(Accounts, (accounts) => accounts.create("bench", termsOf("pro")))
  const { secret } = yield* Effect.flatMap(KeyRegister, (register) => register.create(accountId, "bench"))
  const save = (index: number) =>
    checkpoints.save({ matchId: `cs2:${index % 500}`, epoch: 0, seq: index, feedSequence: index, formatVersion: 1, state })
  const verify = () => keys.verify(secret)
  // The first runs are discarded as a warm-up, because both sides compile during them.
  yield* perSecond(count / 4, 16, verify)
  return {
    verifySequential: yield* perSecond(count, 1, verify),
    verifyConcurrent16: yield* perSecond(count, 16, verify),
    checkpointBytes: state.length,
    saveSequential: yield* perSecond(count, 1, save),
    saveConcurrent16: yield* perSecond(count, 16, save),
  }
})

const REPORTS = 200

/**
 * Calls per second of a gateway that reports `reports` leases, each of a different account, with more usage and a
 * larger grant each time.
 */
const settling = Effect.fnUntraced(function* (calls: number, reports: number) {
  const ledger = yield* UsageLedger
  const { period } = yield* thisMonth
  const accounts = yield* Effect.replicateEffect(accountWith(1_000_000_000), reports)
  const leases = accounts.map((accountId) => reportOf(accountId, period, { want: 1 }))
  const day = Day.make(`${period}-01`)
  const one = (index: number) => {
    const told = { revision: index + 1, size: index, lines: [{ day, requests: index, streamTicks: 0 }] }
    return ledger.settle(
      leases.map((lease) => ({ ...lease, ...told })),
      [],
    )
  }
  // Opens the months.
  yield* one(0)
  return yield* perSecond(calls, 1, (index) => one(index + 1))
})

/**
 * Settlements per second of gateways that draw from one account at once, one request at a time, as for an account on a
 * small plan.
 */
const contending = Effect.fnUntraced(function* (calls: number, gateways: number) {
  const ledger = yield* UsageLedger
  const { period } = yield* thisMonth
  const accountId = yield* accountWith(1_000_000_000)
  const leases = Array.from({ length: gateways }, () => reportOf(accountId, period, { want: 1 }))
  const revisions = leases.map(() => 0)
  return yield* perSecond(calls, gateways, (index) => {
    const gateway = index % gateways
    const revision = (revisions[gateway] ?? 0) + 1
    revisions[gateway] = revision
    return ledger.settle(
      leases.slice(gateway, gateway + 1).map((lease) => ({ ...lease, revision, size: revision - 1 })),
      [],
    )
  })
})

const measureLedger = Effect.gen(function* () {
  yield* settling(250, 1)
  const reportsPerCall = yield* settling(50, REPORTS)
  return {
    settleOneReport: yield* settling(1_000, 1),
    settle200Reports: reportsPerCall,
    settledReports200ACall: reportsPerCall * REPORTS,
    settleOneAccountBy8: yield* contending(1_000, 8),
  }
})

const opened = <E>(driver: Layer.Layer<SqlClient.SqlClient | Layer.Success<ReturnType<typeof Postgres.layer>>, E>) =>
  Repositories.layer.pipe(Layer.provideMerge(Migrations.layer), Layer.provideMerge(driver))

const everything = Effect.zipWith(measure(4_000), measureLedger, (rates, ledger) => ({ ...rates, ...ledger }))

const print = (result: object) => Effect.sync(() => process.stdout.write(`${JSON.stringify(result)}\n`))

const embedded = Effect.gen(function* () {
  const directory = yield* temporaryDirectory
  const open = () => Effect.scoped(Layer.build(opened(Embedded.layer({ directory }))))
  const timed = Effect.fnUntraced(function* () {
    const started = yield* Clock.currentTimeMillis
    yield* open()
    return (yield* Clock.currentTimeMillis) - started
  })
  const coldMillis = yield* timed()
  const warmMillis = yield* timed()
  const rates = yield* everything.pipe(Effect.provide(opened(Embedded.layer({ directory }))))
  yield* print({ driver: "embedded", coldMillis, warmMillis, ...rates })
})

const postgres = Effect.fnUntraced(function* (url: string) {
  const own = yield* createDatabase(url, null)
  yield* print({ driver: "postgres", ...(yield* everything.pipe(Effect.provide(opened(Postgres.layer({ url: own }))))) })
})

const url = process.argv[2]

await Effect.runPromise(Effect.scoped(url === undefined ? embedded : Effect.andThen(embedded, postgres(url))))
