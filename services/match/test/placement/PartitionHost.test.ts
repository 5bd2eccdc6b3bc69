/** The matches of a partition while this process gains and loses it, and while the database is away. */
import { assert, describe, it } from "@effect/vitest"
import { EventLog } from "@matchpoint/bus/EventLog"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { cursorOfMessageId, LIVE, liveMessageId, liveSubject, PARTITIONS, streams } from "@matchpoint/contracts/bus/subjects"
import { matchId } from "@matchpoint/domain/cs2/ids"
import { DatabaseProbe } from "@matchpoint/store/database/DatabaseProbe"
import { Effect, Exit, Layer, Option, Scope } from "effect"
import { TestClock } from "effect/testing"
import { cs2LiveGame } from "../../src/cs2/cs2LiveGame.ts"
import { PartitionHost } from "../../src/placement/PartitionHost.ts"
import { simulatedEvents } from "../simulated.ts"
import { announce, appendFacts, gone, services } from "../supervised.ts"

const PARTITION = 5
const registered = matchId(PARTITIONS + PARTITION)
const announcedLater = matchId(2 * PARTITIONS + PARTITION)
const elsewhere = matchId(PARTITIONS + 6)

const events = (id: typeof registered) => simulatedEvents(31, id).slice(0, 60)

/** A database that the test can take away. */
class Database {
  answers = true
  readonly layer = Layer.succeed(DatabaseProbe, {
    check: Effect.suspend(() => (this.answers ? Effect.void : gone("DatabaseProbe.check"))),
  })
}

const hosted = (database: Database) =>
  PartitionHost.layer([cs2LiveGame]).pipe(
    Layer.provide(database.layer),
    Layer.provide(
      services({
        matches: { listUnsettled: Effect.succeed([registered, elsewhere]) },
        checkpoints: { positions: () => Effect.succeed(new Map()) },
      }),
    ),
    Layer.provideMerge(EventLogMemory.layer({ streams })),
  )

/** Number of the newest change that was published for the match. */
const published = Effect.fnUntraced(function* (id: typeof registered) {
  yield* TestClock.adjust("100 millis")
  const newest = yield* (yield* EventLog).last(LIVE, liveSubject(id))
  return Option.match(newest, { onNone: () => 0, onSome: (record) => cursorOfMessageId(record.id)?.seq ?? 0 })
})

const own = Effect.gen(function* () {
  const host = yield* PartitionHost
  const scope = yield* Scope.make()
  yield* host.own(PARTITION).pipe(Scope.provide(scope))
  return { end: Scope.close(scope, Exit.void) }
})

describe("a process that owns a partition", () => {
  it.effect("runs the matches of the register and those that are announced, of this partition only", () =>
    Effect.gen(function* () {
      yield* appendFacts([...events(registered), ...events(elsewhere), ...events(announcedLater)])
      const ownership = yield* own
      assert.strictEqual(yield* published(registered), 60)
      assert.strictEqual(yield* published(announcedLater), 0)
      yield* announce(announcedLater)
      yield* announce(elsewhere)
      assert.strictEqual(yield* published(announcedLater), 60)
      assert.strictEqual(yield* published(elsewhere), 0)
      assert.isTrue((yield* PartitionHost).owns(PARTITION))

      yield* ownership.end
      assert.isFalse((yield* PartitionHost).owns(PARTITION))
      yield* appendFacts(simulatedEvents(31, registered).slice(60, 90))
      assert.strictEqual(yield* published(registered), 60)
    }).pipe(Effect.provide(hosted(new Database()))),
  )

  it.effect("continues while the database is away, and does not notice when ownership returns", () => {
    const database = new Database()
    return Effect.gen(function* () {
      yield* appendFacts(events(registered))
      const ownership = yield* own
      assert.strictEqual(yield* published(registered), 60)
      database.answers = false
      yield* ownership.end
      yield* appendFacts(simulatedEvents(31, registered).slice(60, 70))
      assert.strictEqual(yield* published(registered), 70)
      yield* TestClock.adjust("10 seconds")
      database.answers = true
      yield* TestClock.adjust("2 seconds")
      yield* own
      yield* TestClock.adjust("10 seconds")
      yield* appendFacts(simulatedEvents(31, registered).slice(70, 80))
      assert.strictEqual(yield* published(registered), 80)
    }).pipe(Effect.provide(hosted(database)))
  })

  it.effect("stops when the database is back and ownership is not", () => {
    const database = new Database()
    return Effect.gen(function* () {
      yield* appendFacts(events(registered))
      const ownership = yield* own
      assert.strictEqual(yield* published(registered), 60)
      database.answers = false
      yield* ownership.end
      database.answers = true
      yield* TestClock.adjust("10 seconds")
      assert.isFalse((yield* PartitionHost).owns(PARTITION))
      yield* appendFacts(simulatedEvents(31, registered).slice(60, 70))
      assert.strictEqual(yield* published(registered), 60)
    }).pipe(Effect.provide(hosted(database)))
  })

  it.effect("leaves a match to its new owner while the database is away", () => {
    const database = new Database()
    return Effect.gen(function* () {
      yield* appendFacts(events(registered))
      const ownership = yield* own
      assert.strictEqual(yield* published(registered), 60)
      database.answers = false
      yield* ownership.end
      // Another process, which reaches the database, is ahead.
      const log = yield* EventLog
      yield* log.append(liveSubject(registered), liveMessageId(registered, 1, 61), new Uint8Array(1))
      yield* appendFacts(simulatedEvents(31, registered).slice(60, 62))
      yield* TestClock.adjust("10 minutes")
      assert.strictEqual(yield* published(registered), 61)
    }).pipe(Effect.provide(hosted(database)))
  })
})
