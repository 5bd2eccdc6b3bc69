/** Contract tests of appends that expect a certain newest record of the subject. Part of {@link eventLogSuite}. */
import { assert, type Vitest } from "@effect/vitest"
import { Array as Arr, Effect, Option, Result, Stream } from "effect"
import { EventLog, type LogError } from "../src/EventLog.ts"
import { bytes, first, numbers, text } from "./records.ts"

const conflicts = <A>(effect: Effect.Effect<A, LogError>) =>
  Effect.map(Effect.flip(effect), ({ reason, retryable }) => assert.deepStrictEqual([reason, retryable], ["Conflict", false]))

/** Adds the tests to a suite whose log has the stream FENCED, of 64 KB, for the subjects `fenced.>`. */
export const fencedAppendTests = (it: Vitest.MethodsNonLive<EventLog>): void => {
  it.effect("appends only if the newest record of the subject is the expected one", () =>
    Effect.gen(function* () {
      const log = yield* EventLog
      const [a, b] = ["fenced.expect.a", "fenced.expect.b"]
      yield* conflicts(log.append(a, "fence:0", bytes("0"), { lastOfSubject: 7 }))
      const one = yield* log.append(a, "fence:1", bytes("1"), { lastOfSubject: 0 })
      yield* conflicts(log.append(a, "fence:x", bytes("x"), { lastOfSubject: 0 }))
      // Records of other subjects do not count.
      const other = yield* log.append(b, "fence:2", bytes("2"), { lastOfSubject: 0 })
      yield* conflicts(log.append(b, "fence:y", bytes("y"), { lastOfSubject: one.sequence }))
      const next = yield* log.append(a, "fence:3", bytes("3"), { lastOfSubject: one.sequence })
      assert.isAbove(next.sequence, other.sequence)
      // Without an expectation, every record is appended.
      yield* log.append(a, "fence:4", bytes("4"))
      yield* conflicts(log.append(a, "fence:z", bytes("z"), { lastOfSubject: next.sequence }))
      const kept = yield* log.read("FENCED", "fenced.expect.a", first).pipe(Stream.runCollect)
      assert.deepStrictEqual(kept.map(text), ["1", "3", "4"])
    }),
  )

  it.effect("returns a duplicate as a duplicate, whatever record is expected", () =>
    Effect.gen(function* () {
      const log = yield* EventLog
      const subject = "fenced.repeat.1"
      const one = yield* log.append(subject, "repeat:1", bytes("1"), { lastOfSubject: 0 })
      // A retry after a lost response has the same id and expectation.
      assert.deepStrictEqual(yield* log.append(subject, "repeat:1", bytes("1"), { lastOfSubject: 0 }), { ...one, duplicate: true })
      yield* log.append(subject, "repeat:2", bytes("2"), { lastOfSubject: one.sequence })
      assert.deepStrictEqual(yield* log.append(subject, "repeat:1", bytes("1"), { lastOfSubject: 0 }), { ...one, duplicate: true })
    }),
  )

  it.effect("lets exactly one of several owners append when all expect the same record", () =>
    Effect.gen(function* () {
      const log = yield* EventLog
      const subject = "fenced.race.1"
      let last = 0
      for (const round of Arr.range(1, 20)) {
        const results = yield* Effect.all(
          Arr.range(1, 5).map((owner) =>
            Effect.result(log.append(subject, `race:${round}:${owner}`, bytes(`${round}`), { lastOfSubject: last })),
          ),
          { concurrency: "unbounded" },
        )
        const won = results.flatMap((result) => (Result.isSuccess(result) ? [result.success.sequence] : []))
        assert.strictEqual(won.length, 1)
        assert.deepStrictEqual(
          results.flatMap((result) => (Result.isFailure(result) ? [result.failure.reason as string] : [])),
          Arr.makeBy(4, () => "Conflict"),
        )
        last = won[0] ?? 0
      }
      const kept = yield* log.read("FENCED", subject, first).pipe(Stream.runCollect)
      assert.deepStrictEqual(kept.map(text), numbers(20))
    }),
  )

  it.effect("treats a dropped record as missing when it checks the expected record", () =>
    Effect.gen(function* () {
      const log = yield* EventLog
      const subject = "fenced.dropped.1"
      const one = yield* log.append(subject, "dropped:1", bytes("1"), { lastOfSubject: 0 })
      yield* Effect.forEach(Arr.range(1, 40), (n) => log.append("fenced.dropped.2", `filler:${n}`, new Uint8Array(4_000)))
      assert.isTrue(Option.isNone(yield* log.last("FENCED", subject)))
      yield* conflicts(log.append(subject, "dropped:2", bytes("2"), { lastOfSubject: one.sequence }))
      yield* log.append(subject, "dropped:3", bytes("3"), { lastOfSubject: 0 })
    }),
  )
}
