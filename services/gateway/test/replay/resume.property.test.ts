/** A client that resumes from its cursor receives every stored frame once, whatever faults occur. */
import { assert, it } from "@effect/vitest"
import { EventLog } from "@matchpoint/bus/EventLog"
import { applyPatch, type JsonObject } from "@matchpoint/contracts/stream/compact/mergePatch"
import type { Cursor } from "@matchpoint/contracts/stream/cursors"
import { Fault } from "@matchpoint/contracts/stream/messages"
import { compactOf } from "@matchpoint/cs2/contract/compactOf"
import { Deferred, Effect, Fiber, Schema } from "effect"
import { TestClock } from "effect/testing"
import { replay } from "../../src/replay/replay.ts"
import { Client, documentOf, frames, games, liveLog, request, store } from "./storedMatch.ts"

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))
const text = new TextDecoder()

/** The state that a correct client keeps. */
class Follower {
  readonly taken: Array<number> = []
  readonly duplicates: Array<number> = []
  cursor: Cursor | undefined
  document: JsonObject = {}

  take({ kind, frame, bytes }: Client["sent"][number], keepsPosition: boolean): void {
    const { epoch, seq, position } = frame
    const passed = this.cursor?.seq ?? 0
    if (seq <= passed) {
      this.duplicates.push(seq)
      return
    }
    assert.strictEqual(seq, passed + 1)
    const message: { readonly data: JsonObject; readonly patch: JsonObject } = JSON.parse(text.decode(bytes))
    this.document = kind === "delta" ? applyPatch(this.document, message.patch) : message.data
    this.taken.push(seq)
    this.cursor = { epoch, seq, ...(keepsPosition ? { position } : {}) }
  }
}

it.effect.prop(
  "a client that resumes receives every frame once, whatever the faults and its own disconnects",
  {
    count: between(1, 450),
    seed: between(0, 1_000_000),
    faults: Schema.Array(Fault).check(Schema.isMaxLength(3)),
    shape: Schema.Literals(["v1", "v2"]),
    speed: Schema.Literals([0, 1, 50]),
    /** Number of frames after which the client disconnects, per connection. */
    leaves: Schema.Array(between(1, 120)).check(Schema.isMaxLength(6)),
    keepsPosition: Schema.Boolean,
  },
  ({ count, faults, keepsPosition, leaves, seed, shape, speed }) =>
    Effect.gen(function* () {
      yield* store(frames(count))
      const log = yield* EventLog
      const follower = new Follower()
      const left = [...leaves]
      let drops = 0
      for (let connections = 0; ; connections++) {
        // One connection per drop (one per block of 125 frames), plus one per disconnect of the client.
        assert.isAtMost(connections, leaves.length + Math.ceil(count / 125) + 1)
        const client = yield* Client.make
        const gone = yield* Deferred.make<"left">()
        const limit = left.shift() ?? Number.POSITIVE_INFINITY
        client.onFrame = () => {
          const sent = client.sent.at(-1)
          if (client.sent.length > limit || sent === undefined) return
          follower.take(sent, keepsPosition)
          if (client.sent.length === limit) Deferred.doneUnsafe(gone, Effect.succeed("left"))
        }
        const asked = request({ speed, faults, seed }, { shape, resume: follower.cursor })
        const fiber = yield* Effect.forkChild(Effect.raceFirst(replay({ log, games }, asked, client), Deferred.await(gone)))
        yield* TestClock.adjust("1 hour")
        const outcome = yield* Fiber.join(fiber)
        // At speed 0, the replay may have ended in the same turn in which the client had already left.
        if (outcome === "ended" && client.sent.length <= limit) break
        if (outcome === "cut") drops += 1
      }
      assert.deepStrictEqual(
        follower.taken,
        Array.from({ length: count }, (_, index) => index + 1),
      )
      const last = documentOf({ seq: count })
      assert.deepStrictEqual(follower.document, shape === "v1" ? { ...last } : { ...compactOf(last) })
      if (!faults.includes("drop")) assert.strictEqual(drops, 0)
      else if (count >= 200 && leaves.length === 0) assert.isAtLeast(drops, 1)
      if (!faults.includes("duplicate")) assert.deepStrictEqual(follower.duplicates, [])
    }).pipe(Effect.provide(liveLog())),
  { timeout: 60_000, arbitrary: { runs: 40 } },
)

it.effect("the same seed causes the same faults at the same frames, with or without resumes", () =>
  Effect.gen(function* () {
    yield* store(frames(300))
    const log = yield* EventLog
    const faults = ["drop", "duplicate"] as const
    const transcript = Effect.fnUntraced(function* (seed: number, from: number) {
      const client = yield* Client.make
      const resume = from === 0 ? undefined : { epoch: 1, seq: from }
      yield* replay({ log, games }, request({ speed: 0, faults, seed }, { resume }), client)
      return client.seqs
    })
    const whole = yield* transcript(9, 0)
    assert.deepStrictEqual(yield* transcript(9, 0), whole)
    assert.notDeepEqual(yield* transcript(10, 0), whole)
    assert.deepStrictEqual(
      yield* transcript(9, 20),
      whole.filter((seq) => seq > 20),
    )
    assert.isAbove(whole.length, new Set(whole).size)
    // The next drop is after the last frame.
    const after = yield* transcript(9, whole.at(-1) ?? 0)
    assert.isAbove(after.length, 50)
  }).pipe(Effect.provide(liveLog())),
)
