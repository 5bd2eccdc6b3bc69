/**
 * Locks of shards while the database answers late. The database may process requests in another order than the one in
 * which they were sent, as it does for requests of different connections.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import { type ClusterError, MachineId, RunnerAddress, RunnerStorage, ShardId } from "effect/cluster"
import { TestClock } from "effect/testing"
import { patientStorage } from "../src/patientStorage.ts"

const here = RunnerAddress.make("127.0.0.1", 1)
const one = ShardId.make("default", 1)
const two = ShardId.make("default", 2)

/** Delay of an answer after the database has processed the request, in milliseconds. */
const ANSWER_MS = 300

/** The locks of one process. `delayMs` returns how late each request is processed, in milliseconds. */
const databaseOf = (delayMs: () => number) => {
  const locks = new Set<string>()
  const answer = <A>(process: () => A) =>
    Effect.suspend(() => {
      const delay = delayMs()
      return Effect.sync(process).pipe(Effect.delay(delay), Effect.tap(Effect.sleep(delay === 0 ? 0 : ANSWER_MS)))
    })
  const storage = RunnerStorage.RunnerStorage.of({
    register: () => Effect.succeed(MachineId.make(1)),
    unregister: () => Effect.void,
    getRunners: Effect.succeed([]),
    setRunnerHealth: () => Effect.void,
    acquire: (_address, shards) =>
      answer(() => {
        for (const shard of shards) locks.add(String(shard))
        return [...shards]
      }),
    refresh: (_address, shards) => answer(() => [...shards].filter((shard) => locks.has(String(shard)))),
    release: (_address, shard) => answer(() => void locks.delete(String(shard))),
    releaseAll: () => answer(() => locks.clear()),
  })
  return { locks, storage }
}

const operations = ["acquire", "refresh", "release", "releaseAll", "lose session"] as const
type Operation = (typeof operations)[number]

/** Returns every sequence of `length` items. */
const sequencesOf = <A>(items: ReadonlyArray<A>, length: number): ReadonlyArray<ReadonlyArray<A>> =>
  length === 0 ? [[]] : sequencesOf(items, length - 1).flatMap((rest) => items.map((item) => [...rest, item]))

/**
 * Starts the operations on a shard 100 ms apart, like a cluster that does not wait for answers. Afterwards, the shard must
 * be locked exactly if the cluster has acquired it and has not released it since.
 */
const runAll = Effect.fnUntraced(function* (sequence: ReadonlyArray<Operation>, delaysMs: ReadonlyArray<number>) {
  const label = `${sequence.join(", ")} with delays of ${delaysMs.join(", ")} ms`
  let requests = 0
  let isLate = false
  const { locks, storage: database } = databaseOf(() => (isLate ? (delaysMs[requests++ % delaysMs.length] ?? 0) : 0))
  const { storage } = yield* patientStorage(database)
  let isAcquired = (yield* storage.acquire(here, [one])).length === 1
  let releases = 0
  isLate = true
  const giveAway = <A, E>(release: Effect.Effect<A, E>) =>
    Effect.suspend(() => {
      isAcquired = false
      releases += 1
      return release
    })
  const refresh = Effect.suspend(() => {
    if (!isAcquired) return Effect.asVoid(storage.refresh(here, []))
    return Effect.map(storage.refresh(here, [one]), (held) => {
      if (isAcquired) assert.lengthOf(held, 1, `the shard was reported lost: ${label}`)
    })
  })
  const acquire = Effect.suspend(() => {
    const before = releases
    return Effect.map(storage.acquire(here, [one]), (acquired) => {
      isAcquired ||= acquired.length === 1 && releases === before
    })
  })
  const run: Record<Operation, Effect.Effect<void, ClusterError.PersistenceError>> = {
    acquire,
    refresh,
    release: giveAway(storage.release(here, one)),
    releaseAll: giveAway(storage.releaseAll(here)),
    "lose session": Effect.sync(() => locks.clear()),
  }
  const started: Array<Fiber.Fiber<void, ClusterError.PersistenceError>> = []
  for (const operation of sequence) {
    started.push(yield* Effect.forkChild(run[operation], { startImmediately: true }))
    yield* TestClock.adjust("100 millis")
  }
  yield* TestClock.adjust("1 minute")
  for (const exit of yield* Fiber.awaitAll(started)) if (Exit.isFailure(exit)) yield* exit
  isLate = false
  yield* refresh
  assert.strictEqual(locks.has(String(one)), isAcquired, label)
}, Effect.scoped)

describe("locks of shards, while the database answers late", () => {
  it.effect("are kept for a shard that was acquired after the running confirmation started", () =>
    Effect.gen(function* () {
      let delay = 100
      const { storage: database } = databaseOf(() => delay)
      const { storage } = yield* patientStorage(database)
      const first = yield* Effect.forkChild(storage.acquire(here, [one]), { startImmediately: true })
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(first)
      delay = 1_000
      yield* Effect.forkChild(storage.refresh(here, [one]), { startImmediately: true })
      delay = 300
      const second = yield* Effect.forkChild(storage.acquire(here, [two]), { startImmediately: true })
      yield* TestClock.adjust("1250 millis")
      assert.deepStrictEqual((yield* Fiber.join(second)).map(String), [String(two)])
      const both = yield* Effect.forkChild(storage.refresh(here, [one, two]), { startImmediately: true })
      yield* TestClock.adjust("100 millis")
      assert.deepStrictEqual((yield* Fiber.join(both)).map(String), [one, two].map(String))
    }).pipe(Effect.scoped),
  )

  it.effect("match what was acquired and released, in every order of calls and answers", () =>
    Effect.forEach(
      sequencesOf(operations, 3).flatMap((sequence) => sequencesOf([300, 3_000], 4).map((delays) => [sequence, delays] as const)),
      ([sequence, delays]) => runAll(sequence, delays),
      { discard: true },
    ),
  )
})
