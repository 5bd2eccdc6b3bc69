/**
 * How long the embedded database takes to open and what a driver answers per second, as one JSON line per driver.
 * Run with the pinned Node: `node packages/store/test/storeBench.ts [postgres url]`.
 */

import { termsOf } from "@matchpoint/domain/accounts"
import { Clock, Effect, Layer } from "effect"
import type { SqlClient } from "effect/sql"
import { Accounts } from "../src/Accounts.ts"
import { ApiKeys } from "../src/ApiKeys.ts"
import { Checkpoints } from "../src/Checkpoints.ts"
import { Embedded } from "../src/Embedded.ts"
import { KeyRegister } from "../src/KeyRegister.ts"
import { Migrations } from "../src/Migrations.ts"
import { Postgres } from "../src/Postgres.ts"
import type { StoreError } from "../src/StoreError.ts"
import { repositories, temporaryDatabase, temporaryDirectory } from "./drivers.ts"

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
  // The first runs are thrown away: both sides compile while they warm up.
  yield* perSecond(count / 4, 16, verify)
  return {
    verifySequential: yield* perSecond(count, 1, verify),
    verifyConcurrent16: yield* perSecond(count, 16, verify),
    checkpointBytes: state.length,
    saveSequential: yield* perSecond(count, 1, save),
    saveConcurrent16: yield* perSecond(count, 16, save),
  }
})

const opened = <E>(driver: Layer.Layer<SqlClient.SqlClient | Layer.Success<ReturnType<typeof Postgres.layer>>, E>) =>
  repositories.pipe(Layer.provideMerge(Migrations.layer), Layer.provideMerge(driver))

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
  const rates = yield* measure(4_000).pipe(Effect.provide(opened(Embedded.layer({ directory }))))
  yield* print({ driver: "embedded", coldMillis, warmMillis, ...rates })
})

const postgres = Effect.fnUntraced(function* (url: string) {
  const own = yield* temporaryDatabase(url)
  yield* print({ driver: "postgres", ...(yield* measure(4_000).pipe(Effect.provide(opened(Postgres.layer({ url: own }))))) })
})

const url = process.argv[2]

await Effect.runPromise(Effect.scoped(url === undefined ? embedded : Effect.andThen(embedded, postgres(url))))
