import { assert, describe, it } from "@effect/vitest"
import type { LiveState } from "@matchpoint/contracts/game/LiveContract"
import { readRecord, stampRecord } from "@matchpoint/contracts/stream/record"
import { stateAfter } from "@matchpoint/contracts/stream/stateAfter"
import { CompactMatch } from "@matchpoint/cs2/contract/CompactMatch"
import { cs2Live } from "@matchpoint/cs2/contract/cs2Live"
import { decodeDelta } from "@matchpoint/cs2/contract/frames"
import { LiveMatch } from "@matchpoint/cs2/contract/LiveMatch"
import { cs2LiveGame } from "@matchpoint/cs2/live/cs2LiveGame"
import { matchId } from "@matchpoint/cs2/rules/ids"
import type { FeedEvent } from "@matchpoint/cs2/rules/live/feedEvents"
import type { MatchState } from "@matchpoint/cs2/rules/live/state"
import { inRun } from "@matchpoint/testing/bothRuns"
import { Result, Schema } from "effect"
import { foldRecord } from "../src/actor/foldRecord.ts"
import { foldToRecords, simulatedEvents } from "./simulated.ts"

const id = matchId(1001)
const isCompact = Schema.is(CompactMatch)
const isFull = Schema.is(LiveMatch)
const Seed = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 }))
const Share = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))

describe("folding a match", () => {
  it.prop(
    "gives the same state and records, byte for byte, in one pass, with restarts from any checkpoint, and with duplicates",
    { seed: Seed, cuts: Schema.Array(Share).check(Schema.isMaxLength(6)), repeats: Schema.Array(Share).check(Schema.isMaxLength(12)) },
    ({ seed, cuts, repeats }) => {
      const events = simulatedEvents(seed, id)
      const whole = foldToRecords(id, events)

      const positions = cuts.map((share) => Math.floor(share * events.length)).sort((a, b) => a - b)
      let state: MatchState | undefined
      const restarted: Array<Uint8Array> = []
      for (const [index, end] of [...positions, events.length].entries()) {
        const part = foldToRecords(id, events.slice(index === 0 ? 0 : positions[index - 1], end), state)
        restarted.push(...part.records)
        // Serializes the state as a checkpoint does.
        state = part.state === undefined ? undefined : JSON.parse(JSON.stringify(part.state))
      }
      assert.strictEqual(JSON.stringify(state), JSON.stringify(whole.state))
      assertSameRecords(restarted, whole.records)

      const resent: Array<FeedEvent> = []
      const again = new Set(repeats.map((share) => Math.floor(share * events.length)))
      for (const [index, event] of events.entries()) {
        resent.push(event)
        // Sends the event again, with up to 150 events before it.
        if (again.has(index)) resent.push(event, ...events.slice(Math.max(0, index - 150), index))
      }
      const repeated = foldToRecords(id, resent)
      assert.strictEqual(JSON.stringify(repeated.state), JSON.stringify(whole.state))
      assertSameRecords(repeated.records, whole.records)
    },
    { timeout: 120_000, arbitrary: { runs: inRun(4, 15) } },
  )

  it("gives the same records after a restart among the first facts", () => {
    const events = simulatedEvents(3, id).slice(0, 20)
    const whole = foldToRecords(id, events)
    for (let cut = 1; cut < events.length; cut++) {
      const begun = foldToRecords(id, events.slice(0, cut))
      const rest = foldToRecords(id, events.slice(cut), JSON.parse(JSON.stringify(begun.state)))
      assertSameRecords([...begun.records, ...rest.records], whole.records)
    }
  })

  it("gives frames that match their contract in both shapes, with consecutive seq", () => {
    const { records } = foldToRecords(id, simulatedEvents(3, id, 3))
    let live: LiveState<CompactMatch> | undefined
    for (const [index, record] of records.entries()) {
      const frames = stampRecord(record, "cs2", 1_800_000_000_000, index + 1) ?? assert.fail("not a record")
      const delta = Result.getOrThrow(decodeDelta(frames.delta))
      live = stateAfter(cs2Live, live, readRecord(record) ?? assert.fail("not a record")) as LiveState<CompactMatch> | undefined
      if (live === undefined) return assert.fail(`record ${index + 1} has no base`)
      assert.isTrue(isCompact(live.document) && isFull(cs2Live.fullOf(live)))
      assert.deepStrictEqual([delta.base, delta.seq, delta.position], [index, index + 1, index + 1])
    }
    assert.isAbove(records.length, 1_000)
  })
})

describe("a poisoned record", () => {
  const utf8 = new TextEncoder()
  const [created] = simulatedEvents(5, id)
  const { state } = foldToRecords(id, simulatedEvents(5, id).slice(0, 200))
  const cases: ReadonlyArray<readonly [string, Uint8Array, string]> = [
    ["no JSON", utf8.encode("{"), "malformed"],
    ["not UTF-8", new Uint8Array([0xff, 0xfe, 0x00]), "malformed"],
    ["empty", new Uint8Array(), "malformed"],
    ["an unknown type", utf8.encode(JSON.stringify({ ...created, type: "PlayerDanced" })), "malformed"],
    ["a wrong id", utf8.encode(JSON.stringify({ ...created, matchId: "cs2-match-x" })), "malformed"],
    ["a prototype", utf8.encode('{"__proto__":{"type":"PlayerKilled"}}'), "malformed"],
    ["of another match", utf8.encode(JSON.stringify({ ...created, matchId: "cs2-match-7" })), "wrong_match"],
    ["huge numbers", utf8.encode(JSON.stringify({ ...created, observedAt: 1e300 })), "malformed"],
  ]
  for (const [what, data, code] of cases) {
    it(`${what} is rejected as ${code} and changes nothing`, () => {
      const step = foldRecord(cs2LiveGame, id, state, { data, appendedAt: 1 })
      if (step._tag !== "Rejected") return assert.fail("accepted")
      assert.strictEqual(step.rejection.code, code)
      assert.isNotEmpty(step.rejection.message)
    })
  }
})

/** Returns records without documents, because an encoder's starting point decides which records carry one. */
const sayingsOf = (records: ReadonlyArray<Uint8Array>) =>
  records.map((bytes) => {
    const { delta, internals } = readRecord(bytes) ?? assert.fail("not a record")
    const { last: _, ...said } = internals
    return JSON.stringify([delta, said])
  })

const documentsOf = (records: ReadonlyArray<Uint8Array>) => {
  let live: LiveState | undefined
  return records.map((bytes) => {
    live = stateAfter(cs2Live, live, readRecord(bytes) ?? assert.fail("not a record"))
    return JSON.stringify(live)
  })
}

const assertSameRecords = (actual: ReadonlyArray<Uint8Array>, expected: ReadonlyArray<Uint8Array>): void => {
  assert.strictEqual(actual.length, expected.length)
  for (const read of [sayingsOf, documentsOf]) {
    const others = read(actual)
    for (const [index, record] of read(expected).entries()) if (others[index] !== record) assert.fail(`record ${index + 1} differs`)
  }
}
