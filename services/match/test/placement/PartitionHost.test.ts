/** The matches of a partition while this process gains and loses it. */
import { assert, describe, it } from "@effect/vitest"
import { EventLog } from "@matchpoint/bus/EventLog"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { Ownership } from "@matchpoint/cluster/Ownership"
import { cursorOfMessageId, LIVE, liveMessageId, liveSubject, PARTITIONS, streams } from "@matchpoint/contracts/bus/subjects"
import { cs2LiveGame } from "@matchpoint/cs2/live/cs2LiveGame"
import { matchId } from "@matchpoint/cs2/rules/ids"
import { Effect, Exit, Layer, Option, Scope } from "effect"
import { TestClock } from "effect/testing"
import { PartitionHost } from "../../src/placement/PartitionHost.ts"
import { foldToRecords, simulatedEvents } from "../simulated.ts"
import { announce, appendFacts, services } from "../supervised.ts"

const PARTITION = 5
const registered = matchId(PARTITIONS + PARTITION)
const announcedLater = matchId(2 * PARTITIONS + PARTITION)
const elsewhere = matchId(PARTITIONS + 6)

const events = (id: typeof registered) => simulatedEvents(31, id).slice(0, 60)

/** State of the process about its ownership. */
class Knowledge {
  isConfirmed = true
  readonly layer = Layer.succeed(Ownership, { isConfirmed: () => this.isConfirmed })
}

const hosted = (knowledge: Knowledge) =>
  PartitionHost.layer([cs2LiveGame]).pipe(
    Layer.provide(knowledge.layer),
    Layer.provide(
      services({
        matches: { listUnsettled: Effect.succeed([registered, elsewhere]) },
        checkpoints: { positions: () => Effect.succeed(new Map()) },
        lostRestartAfter: "10 millis",
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
    }).pipe(Effect.provide(hosted(new Knowledge()))),
  )

  it.effect("leaves a match to a process that is ahead, until the database confirms who the owner is", () => {
    const knowledge = new Knowledge()
    return Effect.gen(function* () {
      const log = yield* EventLog
      const [all] = [simulatedEvents(31, registered)]
      const { records } = foldToRecords(registered, all.slice(0, 62))
      yield* appendFacts(events(registered))
      yield* own
      assert.strictEqual(yield* published(registered), 60)
      // Another process publishes the next change. This one notices at its next append.
      knowledge.isConfirmed = false
      const next = records[60] ?? assert.fail("no record")
      yield* log.append(liveSubject(registered), liveMessageId(registered, 1, 61), next)
      yield* appendFacts(all.slice(60, 62))
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* published(registered), 61)
      // The other process has ended, and this one is confirmed as the owner.
      knowledge.isConfirmed = true
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* published(registered), 62)
    }).pipe(Effect.provide(hosted(knowledge)))
  })
})
