import { assert, describe, it } from "@effect/vitest"
import type { LiveState } from "@matchpoint/contracts/game/LiveContract"
import { KEYFRAME_EVERY, readRecord } from "@matchpoint/contracts/stream/record"
import { stateAfter } from "@matchpoint/contracts/stream/stateAfter"
import type { CompactMatch } from "@matchpoint/cs2/contract/CompactMatch"
import { compactOf } from "@matchpoint/cs2/contract/compactOf"
import { cs2Live } from "@matchpoint/cs2/contract/cs2Live"
import { isoTime } from "@matchpoint/cs2/live/encode/isoTime"
import { MatchEncoder } from "@matchpoint/cs2/live/encode/MatchEncoder"
import { recordBytes } from "@matchpoint/cs2/live/encode/recordBytes"
import { projectMatch } from "@matchpoint/cs2/live/projectMatch"
import { matchId } from "@matchpoint/cs2/rules/ids"
import type { FeedEvent } from "@matchpoint/cs2/rules/live/feedEvents"
import { fold } from "@matchpoint/cs2/rules/live/fold"
import type { MatchState } from "@matchpoint/cs2/rules/live/state"
import { factId } from "@matchpoint/domain/ids"
import { inRun } from "@matchpoint/testing/bothRuns"
import { Schema } from "effect"
import { simulatedEvents } from "../../simulated.ts"
import { naiveRecord } from "./naive.ts"

const id = matchId(1001)
const Seed = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 }))
const Share = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))
const some = <S extends Schema.Constraint>(schema: S) => Schema.Array(schema).check(Schema.isMaxLength(5))

/** A disturbance of the encoder at one position of the match. */
const Disturbance = Schema.Struct({
  at: Share,
  kind: Schema.Literals([
    "new encoder",
    "state from a checkpoint",
    "records it did not make",
    "another state in between",
    "backup",
    "new epoch",
  ]),
})

const text = new TextDecoder()

const own = (event: FeedEvent, name: string): Omit<FeedEvent, "type" | "payload"> => ({
  id: factId(`${name}:${event.id}`),
  matchId: id,
  source: "main",
  observedAt: event.observedAt,
  receivedAt: event.receivedAt,
})

/** Reads records as an edge does and compares the results with the documents. */
class Reader {
  #state: LiveState<CompactMatch> | undefined

  /** Returns true if the record could be read. */
  read(bytes: Uint8Array, after: MatchState): boolean {
    const record = readRecord(bytes) ?? assert.fail("not a record")
    this.#state = stateAfter(cs2Live, this.#state, record) as LiveState<CompactMatch> | undefined
    if (this.#state === undefined) return false
    const match = projectMatch(after)
    assert.strictEqual(JSON.stringify(cs2Live.fullOf(this.#state)), JSON.stringify(match))
    assert.strictEqual(cs2Live.fullText(this.#state), JSON.stringify(match))
    assert.strictEqual(JSON.stringify(this.#state.document), JSON.stringify(compactOf(match)))
    return true
  }

  forget(): void {
    this.#state = undefined
  }
}

describe("an encoder", () => {
  it.prop(
    "makes the same records as the reference encoder, whatever it encoded before, and both shapes can be read from them byte for byte",
    { seed: Seed, disturbances: some(Disturbance) },
    ({ seed, disturbances }) => {
      const events = simulatedEvents(seed, id, seed % 4 === 0 ? 3 : 1)
      let encoder = new MatchEncoder()
      let state: MatchState | undefined
      let silentUntil = -1
      let isFirst = true
      let baseless = 0
      const reader = new Reader()
      const take = (event: FeedEvent, silent: boolean) => {
        const step = fold(state, event)
        if (step._tag === "Rejected") return
        if (silent) reader.forget()
        else {
          const bytes = encoder.encode(state, step.state, event)
          assertSame(bytes, naiveRecord(state, step.state, event, isFirst), event)
          isFirst = false
          // After skipped records, reading fails until the next keyframe.
          baseless = reader.read(bytes, step.state) ? 0 : baseless + 1
          assert.isBelow(baseless, KEYFRAME_EVERY)
        }
        state = step.state
      }
      for (const [index, event] of events.entries()) {
        for (const { at, kind } of disturbances) {
          if (Math.floor(at * events.length) !== index || state === undefined) continue
          if (kind === "new encoder") {
            encoder = new MatchEncoder()
            isFirst = true
          }
          if (kind === "state from a checkpoint") state = JSON.parse(JSON.stringify(state)) as MatchState
          if (kind === "records it did not make") silentUntil = index + 40
          if (kind === "another state in between") {
            encoder.encode(undefined, firstState(events), event)
            isFirst = false
          }
          if (kind === "backup") take({ ...own(event, "to-backup"), type: "SourceChanged", payload: { source: "live_backup" } }, false)
          if (kind === "new epoch") take({ ...own(event, "lost"), type: "HistoryLost", payload: { epoch: state.epoch + 1 } }, false)
        }
        take(event, index < silentUntil)
      }
    },
    { timeout: 120_000, arbitrary: { runs: inRun(3, 10) } },
  )
})

const firstState = (events: ReadonlyArray<FeedEvent>): MatchState => {
  const [created] = events
  const step = created === undefined ? undefined : fold(undefined, created)
  return step?._tag === "Accepted" ? step.state : assert.fail("the match begins with its first event")
}

const assertSame = (actual: Uint8Array, expected: Uint8Array, event: FeedEvent) => {
  if (Buffer.compare(actual, expected) === 0) return
  assert.deepStrictEqual(text.decode(actual).split("\n"), text.decode(expected).split("\n"), `after ${event.type} ${event.id}`)
}

describe("times", () => {
  it.prop(
    "are formatted like Date formats them",
    { at: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 8_640_000_000_000_000 })) },
    ({ at }) => {
      for (const moment of [at, at % 100_000_000_000, at - (at % 86_400_000), Math.max(0, at - (at % 86_400_000) - 1)])
        assert.strictEqual(isoTime(moment), new Date(moment).toISOString())
    },
  )
})

describe("record bytes", () => {
  it.prop(
    "equal their pieces for any size and any characters",
    { pieces: some(Schema.String), times: Schema.Literals([1, 1_000, 40_000]) },
    ({ pieces, times }) => {
      const texts = pieces.map((piece) => piece.toWellFormed().repeat(times))
      const mixed = texts.map((piece, index) => (index % 2 === 0 ? piece : new TextEncoder().encode(piece)))
      assert.strictEqual(text.decode(recordBytes(mixed)), texts.join("").replace(/^\uFEFF/, ""))
    },
  )
})
