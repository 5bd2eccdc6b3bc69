/** Time and order around the rules, by the test's clock: silence, backoff, a draining server, a slow reader. */
import { assert, it } from "@effect/vitest"
import { type Duration, Effect, Fiber, Option, Stream } from "effect"
import { TestClock } from "effect/testing"
import { timing } from "../../src/effect/runtimeOf.ts"
import { streamOf } from "../../src/effect/streamOf.ts"
import type { DefaultGame } from "../../src/games.ts"
import type { LiveNotice } from "../../src/LiveChange.ts"
import { changes } from "../../src/plain/changes.ts"
import { follow } from "../../src/plain/follow.ts"
import { fromNow, id, settings, TestLine } from "../follow/TestLine.ts"

/** Lets the promises of the follower settle. */
const settle = Effect.promise(() => new Promise(setImmediate))

/** Advances the clock after the follower has taken what was sent, and lets it react to the new time. */
const advance = (duration: Duration.Input) => settle.pipe(Effect.andThen(TestClock.adjust(duration)), Effect.andThen(settle))

const followed = (line: TestLine, onNotice: (notice: LiveNotice) => void = () => {}) =>
  streamOf(
    Effect.map(timing, (timing) =>
      changes<"v2", DefaultGame>((stop) => follow({ first: line.transport }, settings, fromNow, timing, stop), { onNotice }),
    ),
  )

const listen = Effect.fnUntraced(function* (line: TestLine) {
  const seqs: Array<number> = []
  const notices: Array<LiveNotice> = []
  const fiber = yield* followed(line, (notice) => notices.push(notice)).pipe(
    Stream.runForEach((change) => Effect.sync(() => seqs.push(change.seq))),
    Effect.forkChild,
  )
  yield* advance(1)
  return { notices, fiber, seqs }
})

it.effect("reconnects after 2.5 heartbeats of silence, and not before", () =>
  Effect.gen(function* () {
    const line = new TestLine()
    line.make()
    const { seqs } = yield* listen(line)
    for (let beat = 0; beat < 4; beat++) {
      yield* advance("15 seconds")
      line.model.heartbeat()
      line.flush()
      yield* advance(1)
    }
    assert.strictEqual(line.connections, 1)
    yield* advance("37 seconds")
    assert.strictEqual(line.connections, 1)
    yield* advance("1 second")
    assert.deepStrictEqual([line.connections, line.open], [2, 1])
    line.make()
    yield* advance(1)
    assert.deepStrictEqual(seqs, [1, 2])
  }),
)

it.effect("waits longer after each failed attempt, and fails after the last", () =>
  Effect.gen(function* () {
    const line = new TestLine()
    line.accepts = false
    const { fiber, notices } = yield* listen(line)
    yield* advance("10 seconds")
    const error = yield* Effect.flip(Fiber.join(fiber))
    assert.deepStrictEqual([error.reason, line.connections, line.open], ["Unreachable", 4, 0])
    const waits = notices.flatMap((notice) => (notice.type === "stale" ? [notice.retryInMs] : []))
    assert.strictEqual(waits.length, 3)
    for (const [attempt, wait] of waits.entries()) {
      assert.isAtLeast(wait, 125 * 2 ** attempt)
      assert.isAtMost(wait, 250 * 2 ** attempt)
    }
  }),
)

it.effect("stays with a draining server until `after_ms` is over, and misses nothing", () =>
  Effect.gen(function* () {
    const line = new TestLine()
    line.make()
    const { seqs } = yield* listen(line)
    line.model.leave()
    line.flush()
    yield* advance(50)
    line.make()
    yield* advance(1)
    assert.deepStrictEqual([line.connections, seqs.length], [1, 2])
    yield* advance(100)
    assert.strictEqual(line.connections, 2)
    line.make()
    yield* advance(1)
    assert.deepStrictEqual(seqs, [1, 2, 3])
  }),
)

it.effect("closes the connection of a slow reader when the inbox is full, and resumes without loss", () =>
  Effect.gen(function* () {
    const line = new TestLine()
    line.make()
    const seqs: Array<number> = []
    let mayRead = false
    const fiber = yield* followed(line).pipe(
      Stream.runForEach(({ seq }) =>
        Effect.gen(function* () {
          seqs.push(seq)
          if (!mayRead) yield* Effect.sleep("1 second")
        }),
      ),
      Effect.forkChild,
    )
    yield* advance(1)
    for (let burst = 0; burst < 6; burst++) {
      line.make(2_000)
      yield* advance("1 second")
    }
    assert.isBelow(seqs.length, 10)
    mayRead = true
    yield* advance("10 seconds")
    assert.isAtLeast(line.connections, 2)
    assert.strictEqual(seqs.length, 12_001)
    assert.isTrue(seqs.every((seq, index) => seq === index + 1))
    yield* Fiber.interrupt(fiber)
    assert.strictEqual(line.open, 0)
  }),
)

it.effect("fails on a message that the contract forbids", () =>
  Effect.gen(function* () {
    const line = new TestLine()
    const { fiber } = yield* listen(line)
    line.model.wire.push({ type: "cs2.live.delta", seq: "one" })
    line.model.wire.unshift({ type: "news.of.a.newer.server", anything: true })
    line.flush()
    yield* advance(1)
    const error = yield* Effect.flip(Fiber.join(fiber))
    assert.deepStrictEqual([error.reason, error.room], ["Protocol", `match:${id}`])
  }),
)

it.effect("loses nothing if single pulls are interrupted, and closes the connection with the stream", () =>
  Effect.gen(function* () {
    const line = new TestLine()
    line.make()
    const seqs = yield* Effect.scoped(
      Effect.gen(function* () {
        const pull = yield* Stream.toPull(followed(line))
        const seqs: Array<number> = []
        for (let round = 0; round < 6; round++) {
          const pulling = yield* Effect.forkChild(Effect.timeoutOption(pull, "1 second"))
          yield* advance("1 second")
          const found = yield* Fiber.join(pulling)
          if (Option.isSome(found)) seqs.push(...found.value.map(({ seq }) => seq))
          else line.make()
        }
        assert.strictEqual(line.open, 1)
        return seqs
      }),
    )
    assert.deepStrictEqual(seqs, [1, 2, 3])
    assert.strictEqual(line.open, 0)
  }),
)
