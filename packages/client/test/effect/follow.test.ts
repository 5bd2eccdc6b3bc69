/** Time and order around the rules, by the test's clock: silence, backoff, a draining server, a slow reader. */
import { assert, it } from "@effect/vitest"
import { matchId } from "@matchpoint/cs2/rules/ids"
import { Effect, Fiber, Queue, Stream } from "effect"
import { TestClock } from "effect/testing"
import { follow } from "../../src/effect/follow.ts"
import type { Inbox, Transport } from "../../src/effect/Transport.ts"
import type { FollowItem, FollowSettings } from "../../src/follow/FollowState.ts"
import { ModelServer } from "../follow/ModelServer.ts"

const id = matchId(1)

const settings: Omit<FollowSettings, "canSend" | "canFallBack"> = {
  matchId: id,
  shape: "v2",
  maxRateMs: undefined,
  endWithMatch: true,
  baseDelayMs: 250,
  maxDelayMs: 20_000,
  maxAttempts: 4,
}

/** A transport that is connected to the test. */
class TestLine {
  readonly model = new ModelServer("v2", false, 3)
  connections = 0
  open = 0
  /** Whether connecting succeeds. */
  accepts = true
  #inbox: Inbox | undefined

  readonly transport: Transport = {
    canSend: true,
    connect: (inbox) =>
      Effect.acquireRelease(
        Effect.sync(() => {
          this.connections += 1
          this.open += 1
          this.#inbox = inbox
          if (this.accepts) {
            this.model.connect()
            Queue.offerUnsafe(inbox, { _tag: "Opened" })
            this.flush()
          } else Queue.offerUnsafe(inbox, { _tag: "Closed", reason: "refused" })
          return {
            send: (text: string) => {
              this.model.receive(JSON.parse(text))
              this.flush()
            },
          }
        }),
        () => Effect.sync(() => (this.open -= 1)),
      ),
  }

  /** As a WebSocket does: an overflow ends the connection. */
  flush(): void {
    for (const message of this.model.wire.splice(0)) {
      const inbox = this.#inbox
      if (inbox !== undefined && !Queue.offerUnsafe(inbox, { _tag: "Text", text: JSON.stringify(message), id: undefined }))
        Queue.endUnsafe(inbox)
    }
  }

  make(count = 1): void {
    for (let made = 0; made < count; made++) this.model.make(id)
    this.flush()
  }
}

const listen = Effect.fnUntraced(function* (line: TestLine) {
  const items: Array<FollowItem> = []
  const fiber = yield* follow({ first: line.transport }, settings, { cursor: undefined, known: [] }).pipe(
    Stream.runForEach((item) => Effect.sync(() => items.push(item))),
    Effect.forkChild,
  )
  yield* TestClock.adjust(1)
  const seqs = () => items.flatMap((item) => (item._tag === "Change" ? [item.change.seq] : []))
  return { items, fiber, seqs }
})

it.effect("reconnects after 2.5 heartbeats of silence, and not before", () =>
  Effect.gen(function* () {
    const line = new TestLine()
    line.make()
    const { seqs } = yield* listen(line)
    for (let beat = 0; beat < 4; beat++) {
      yield* TestClock.adjust("15 seconds")
      line.model.heartbeat()
      line.flush()
      yield* TestClock.adjust(1)
    }
    assert.strictEqual(line.connections, 1)
    yield* TestClock.adjust("37 seconds")
    assert.strictEqual(line.connections, 1)
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual([line.connections, line.open], [2, 1])
    line.make()
    yield* TestClock.adjust(1)
    assert.deepStrictEqual(seqs(), [1, 2])
  }),
)

it.effect("waits longer after each failed attempt, and fails after the last", () =>
  Effect.gen(function* () {
    const line = new TestLine()
    line.accepts = false
    const { fiber, items } = yield* listen(line)
    yield* TestClock.adjust("10 seconds")
    const error = yield* Effect.flip(Fiber.join(fiber))
    assert.deepStrictEqual([error.reason, line.connections, line.open], ["Unreachable", 4, 0])
    const waits = items.flatMap((item) => (item._tag === "Notice" && item.notice.type === "stale" ? [item.notice.retryInMs] : []))
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
    yield* TestClock.adjust(50)
    line.make()
    yield* TestClock.adjust(1)
    assert.deepStrictEqual([line.connections, seqs().length], [1, 2])
    yield* TestClock.adjust(100)
    assert.strictEqual(line.connections, 2)
    line.make()
    yield* TestClock.adjust(1)
    assert.deepStrictEqual(seqs(), [1, 2, 3])
  }),
)

it.effect("closes the connection of a slow reader when the inbox is full, and resumes without loss", () =>
  Effect.gen(function* () {
    const line = new TestLine()
    line.make()
    const seqs: Array<number> = []
    let mayRead = false
    const fiber = yield* follow({ first: line.transport }, settings, { cursor: undefined, known: [] }).pipe(
      Stream.runForEach((item) =>
        Effect.gen(function* () {
          if (item._tag === "Change") seqs.push(item.change.seq)
          if (!mayRead) yield* Effect.sleep("1 second")
        }),
      ),
      Effect.forkChild,
    )
    yield* TestClock.adjust(1)
    for (let burst = 0; burst < 6; burst++) {
      line.make(2_000)
      yield* TestClock.adjust("1 second")
    }
    assert.isBelow(seqs.length, 10)
    mayRead = true
    yield* TestClock.adjust("10 seconds")
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
    yield* TestClock.adjust(1)
    const error = yield* Effect.flip(Fiber.join(fiber))
    assert.deepStrictEqual([error.reason, error.room], ["Protocol", `match:${id}`])
  }),
)
