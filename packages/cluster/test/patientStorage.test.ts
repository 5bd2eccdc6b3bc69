import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Logger, Option } from "effect"
import { ClusterError, MachineId, Runner, RunnerAddress, RunnerStorage, ShardId } from "effect/cluster"
import { TestClock } from "effect/testing"
import { againAfterDepartures } from "../src/Departures.ts"
import { patientStorage } from "../src/patientStorage.ts"

const here = RunnerAddress.make("127.0.0.1", 1)
const there = RunnerAddress.make("127.0.0.1", 2)
const member = (address: RunnerAddress.RunnerAddress) => Runner.make({ address, groups: ["default"], weight: 1 })
const shards = [1, 2, 3].map((id) => ShardId.make("default", id))

/** A database with the locks of one process, which the test can slow down, take away, and give to others. */
class Database {
  delayMs = 0
  isAway = false
  locks = new Set(shards.map(String))
  takenByOthers = new Set<string>()
  members = [here, there]

  #answer<A>(result: () => A) {
    return Effect.suspend(() =>
      this.isAway
        ? Effect.fail(new ClusterError.PersistenceError({ cause: new Error("away") }))
        : Effect.delay(Effect.sync(result), this.delayMs),
    )
  }

  readonly storage = RunnerStorage.RunnerStorage.of({
    register: ({ address }) =>
      this.#answer(() => {
        this.members = [...this.members.filter((other) => other !== address), address]
        return MachineId.make(1)
      }),
    unregister: (address) =>
      this.#answer(() => {
        this.members = this.members.filter((other) => other !== address)
      }),
    getRunners: this.#answer(() => this.members.map((address) => [member(address), true] as const)),
    setRunnerHealth: () => Effect.void,
    acquire: (_address, wanted) =>
      this.#answer(() => {
        const free = [...wanted].filter((shard) => !this.takenByOthers.has(String(shard)))
        for (const shard of free) this.locks.add(String(shard))
        return free
      }),
    refresh: (_address, wanted) => this.#answer(() => [...wanted].filter((shard) => this.locks.has(String(shard)))),
    release: (_address, shard) => this.#answer(() => void this.locks.delete(String(shard))),
    releaseAll: () => this.#answer(() => this.locks.clear()),
  })
}

/** Asks, and lets half a second pass. Undefined if there was an error. An answer that takes longer fails the test. */
const answerOf = Effect.fnUntraced(function* <A, E>(ask: Effect.Effect<A, E>) {
  const fiber = yield* Effect.forkChild(Effect.option(ask))
  yield* TestClock.adjust("500 millis")
  const exit = fiber.pollUnsafe()
  return exit?._tag === "Success" ? Option.getOrUndefined(exit.value) : assert.fail("no answer in time")
})

describe("ownership of shards", () => {
  it.effect("is reported if it stays unconfirmed, but not for a single late confirmation", () => {
    const logged: Array<string> = []
    return Effect.gen(function* () {
      const database = new Database()
      const { storage } = yield* patientStorage(database.storage)
      const refresh = answerOf(storage.refresh(here, shards))
      database.delayMs = 300
      yield* refresh
      database.delayMs = 0
      yield* refresh
      assert.deepStrictEqual(logged, [])
      database.isAway = true
      for (let time = 0; time < 4; time++) yield* refresh
      database.isAway = false
      yield* refresh
      assert.deepStrictEqual(logged, [
        "Warn the database does not confirm the ownership of matches in time; they continue",
        "Info the database confirms the ownership of matches again",
      ])
    }).pipe(
      Effect.scoped,
      Effect.provide(Logger.layer([Logger.make(({ logLevel, message }) => void logged.push(`${logLevel} ${String(message)}`))])),
    )
  })

  it.effect("is not missed by a process without shards while the database is late", () =>
    Effect.gen(function* () {
      const database = new Database()
      const { isConfirmed, storage } = yield* patientStorage(database.storage)
      database.delayMs = 5_000
      assert.deepStrictEqual(yield* answerOf(storage.refresh(here, [])), [])
      // The pending answer does not contain the shards that were acquired meanwhile.
      assert.lengthOf((yield* answerOf(storage.refresh(here, shards))) ?? [], 3)
      yield* TestClock.adjust("4 seconds")
      database.delayMs = 0
      assert.lengthOf((yield* answerOf(storage.refresh(here, shards))) ?? [], 3)
      assert.lengthOf((yield* answerOf(storage.refresh(here, shards))) ?? [], 3)
      assert.isTrue(isConfirmed())
    }).pipe(Effect.scoped),
  )

  it.effect("is assumed sooner by a process that is late itself, before effect's deadline", () =>
    Effect.gen(function* () {
      const database = new Database()
      database.delayMs = 5_000
      let late = 0
      const { storage } = yield* patientStorage(
        database.storage,
        () => true,
        () => late,
      )
      const isAnsweredAfter = Effect.fnUntraced(function* (millis: number) {
        const asked = yield* Effect.forkChild(storage.refresh(here, shards), { startImmediately: true })
        yield* TestClock.adjust(millis)
        const isAnswered = asked.pollUnsafe() !== undefined
        yield* TestClock.adjust("300 millis")
        assert.lengthOf(yield* Fiber.join(asked), 3)
        return isAnswered
      })
      assert.isFalse(yield* isAnsweredAfter(149))
      assert.isTrue(yield* isAnsweredAfter(150))
      late = 120
      assert.isTrue(yield* isAnsweredAfter(30))
      late = 2_000
      assert.isTrue(yield* isAnsweredAfter(0))
    }).pipe(Effect.scoped),
  )

  it.effect("lasts while confirmations are late or fail, and is then not confirmed", () =>
    Effect.gen(function* () {
      const database = new Database()
      const { isConfirmed, storage } = yield* patientStorage(database.storage)
      assert.isFalse(isConfirmed())
      assert.lengthOf((yield* answerOf(storage.refresh(here, shards))) ?? [], 3)
      assert.isTrue(isConfirmed())
      database.delayMs = 5_000
      for (let n = 0; n < 5; n++) assert.lengthOf((yield* answerOf(storage.refresh(here, shards))) ?? [], 3)
      assert.isFalse(isConfirmed())
      database.delayMs = 0
      database.isAway = true
      yield* TestClock.adjust("10 seconds")
      assert.lengthOf((yield* answerOf(storage.refresh(here, shards))) ?? [], 3)
      assert.isFalse(isConfirmed())
      database.isAway = false
      assert.lengthOf((yield* answerOf(storage.refresh(here, shards))) ?? [], 3)
      assert.isTrue(isConfirmed())
    }).pipe(Effect.scoped),
  )

  it.effect("ends for the shards that another process has taken, and only for them", () =>
    Effect.gen(function* () {
      const database = new Database()
      const { storage } = yield* patientStorage(database.storage)
      // The session with the locks has ended, and another process has taken one of them.
      database.locks.clear()
      database.takenByOthers.add(String(shards[1]))
      assert.deepStrictEqual((yield* answerOf(storage.refresh(here, shards)))?.map(String), [shards[0], shards[2]].map(String))
    }).pipe(Effect.scoped),
  )
})

describe("a shard that another member still has", () => {
  it.effect("is taken as soon as it is free", () =>
    Effect.gen(function* () {
      const database = new Database()
      const { storage } = yield* patientStorage(database.storage)
      database.takenByOthers.add(String(shards[1]))
      const acquired = yield* Effect.forkChild(storage.acquire(here, shards))
      yield* TestClock.adjust("100 millis")
      assert.isUndefined(acquired.pollUnsafe())
      database.takenByOthers.clear()
      yield* TestClock.adjust("100 millis")
      assert.lengthOf(yield* Fiber.join(acquired), 3)
    }).pipe(Effect.scoped),
  )

  it.effect("is left to it, and those that were free are taken", () =>
    Effect.gen(function* () {
      const database = new Database()
      const { storage } = yield* patientStorage(database.storage)
      database.takenByOthers.add(String(shards[1]))
      assert.deepStrictEqual((yield* answerOf(storage.acquire(here, shards)))?.map(String), [shards[0], shards[2]].map(String))
    }).pipe(Effect.scoped),
  )
})

describe("a shard that is given away", () => {
  it.effect("is not taken back", () =>
    Effect.gen(function* () {
      const database = new Database()
      const { storage } = yield* patientStorage(database.storage)
      const [first, ...others] = shards
      if (first === undefined) return assert.fail("no shard")
      yield* answerOf(storage.release(here, first))
      // The cluster asks for the shards that it is about to release, too.
      assert.deepStrictEqual((yield* answerOf(storage.refresh(here, shards)))?.map(String), others.map(String))
      assert.isFalse(database.locks.has(String(first)))
      yield* answerOf(storage.acquire(here, [first]))
      database.locks.clear()
      assert.lengthOf((yield* answerOf(storage.refresh(here, shards))) ?? [], 3)
    }).pipe(Effect.scoped),
  )
})

describe("a process that cannot work", () => {
  it.effect("leaves the cluster at once, and joins again when it can", () =>
    Effect.gen(function* () {
      const database = new Database()
      let canWork = true
      const { storage } = yield* patientStorage(database.storage, () => canWork)
      assert.lengthOf((yield* answerOf(storage.refresh(here, shards))) ?? [], 3)
      canWork = false
      assert.deepStrictEqual(yield* answerOf(storage.refresh(here, shards)), [])
      assert.deepStrictEqual([database.members, database.locks.size], [[there], 0])
      assert.deepStrictEqual(yield* answerOf(storage.acquire(here, shards)), [])
      assert.isUndefined(yield* answerOf(storage.register(member(here), true)))
      assert.deepStrictEqual([database.members, database.locks.size], [[there], 0])
      canWork = true
      assert.strictEqual(yield* answerOf(storage.register(member(here), true)), 1)
      assert.lengthOf((yield* answerOf(storage.acquire(here, shards))) ?? [], 3)
      assert.deepStrictEqual(database.members, [there, here])
    }).pipe(Effect.scoped),
  )
})

describe("the members of a cluster", () => {
  const addresses = (members: ReadonlyArray<readonly [Runner.Runner, boolean]> | undefined) => members?.map(([{ address }]) => address.port)

  it.effect("leave at once, but not just after an outage of the database", () =>
    Effect.gen(function* () {
      const database = new Database()
      const { storage } = yield* patientStorage(database.storage)
      assert.deepStrictEqual(addresses(yield* answerOf(storage.getRunners)), [1, 2])
      database.members = [here]
      assert.deepStrictEqual(addresses(yield* answerOf(storage.getRunners)), [1])
      database.members = [here, there]
      assert.deepStrictEqual(addresses(yield* answerOf(storage.getRunners)), [1, 2])
      database.isAway = true
      yield* TestClock.adjust("5 seconds")
      assert.isUndefined(yield* answerOf(storage.getRunners))
      // The database is back. The members have not reported yet.
      database.isAway = false
      database.members = []
      assert.deepStrictEqual(addresses(yield* answerOf(storage.getRunners)), [1, 2])
      database.members = [there, RunnerAddress.make("127.0.0.1", 3)]
      for (let n = 0; n < 4; n++) assert.deepStrictEqual(addresses(yield* answerOf(storage.getRunners)), [1, 2, 3])
      assert.deepStrictEqual(addresses(yield* answerOf(storage.getRunners)), [2, 3])
    }).pipe(Effect.scoped),
  )

  it.effect("a departure is reported when the cluster has looked at the members without it and again", () =>
    Effect.gen(function* () {
      const database = new Database()
      const { nextDeparture, storage } = yield* patientStorage(database.storage)
      yield* storage.getRunners
      const attempts: Array<string> = []
      const attempt = Effect.andThen(
        Effect.sync(() => attempts.push("sent")),
        Effect.never,
      )
      yield* Effect.forkScoped(againAfterDepartures({ next: nextDeparture }, attempt), { startImmediately: true })

      database.members = [here]
      yield* storage.getRunners
      yield* Effect.yieldNow
      assert.lengthOf(attempts, 1)
      yield* storage.getRunners
      yield* Effect.yieldNow
      assert.lengthOf(attempts, 2)

      yield* storage.getRunners
      database.members = [here, there]
      yield* storage.getRunners
      yield* storage.getRunners
      yield* Effect.yieldNow
      assert.lengthOf(attempts, 2, "a member that joins is no departure")
    }),
  )
})
