/**
 * Compares deltas with documents: a client that applies all deltas in order has the match's document at every seq, for
 * simulated and for real matches.
 */
import { assert, describe, it } from "@effect/vitest"
import { applyPatch, type JsonObject } from "@matchpoint/contracts/stream/compact/mergePatch"
import { HASH_EVERY, stateHash } from "@matchpoint/contracts/stream/compact/stateHash"
import type { CompactMatch } from "@matchpoint/cs2/contract/CompactMatch"
import { CompactMatch as CompactMatchSchema } from "@matchpoint/cs2/contract/CompactMatch"
import { compactOf } from "@matchpoint/cs2/contract/compactOf"
import { decodeDelta, decodeUpdate } from "@matchpoint/cs2/contract/frames"
import { matchId } from "@matchpoint/cs2/rules/ids"
import type { FeedEvent } from "@matchpoint/cs2/rules/live/feedEvents"
import { simulateMatch } from "@matchpoint/cs2/simulator/simulateMatch"
import { toFeedEvent } from "@matchpoint/cs2/simulator/timedFact"
import { Result, Schema } from "effect"
import { inject } from "vitest"
import { LiveReader } from "../../fixtures/clients/LiveReader.ts"
import { changesOf, factsOf, liveRecord, realMatches } from "./realMatches.ts"

const data = inject("dataDirectory")

const isCompactMatch = Schema.is(CompactMatchSchema)

/**
 * Applies the deltas as a client does, starting from nothing. Returns the last seq, the delta bytes as a share of the
 * full frames' bytes, and the bytes per record.
 */
const follow = (events: Iterable<FeedEvent>) => {
  let document: JsonObject = {}
  let seq = 0
  let hashes = 0
  let share = { delta: 0, full: 0, record: 0 }
  const reader = new LiveReader()
  for (const { record, state } of changesOf(events)) {
    const frames = reader.take(liveRecord(matchId(1), state, record, seq + 1)) ?? assert.fail("not a record")
    const delta = Result.getOrThrow(decodeDelta(frames.delta))
    const update = Result.getOrThrow(decodeUpdate(frames.update))
    assert.deepStrictEqual([delta.base, delta.seq], [seq, seq + 1])
    seq = delta.seq
    document = applyPatch(document, delta.patch)
    const expected: CompactMatch = compactOf(update.data)
    assert.deepStrictEqual<unknown>(document, expected, `after seq ${seq}`)
    assert.strictEqual(delta.hash !== undefined, seq % HASH_EVERY === 0)
    if (delta.hash !== undefined) {
      hashes += 1
      assert.strictEqual(stateHash(document), delta.hash, `hash at seq ${seq}`)
      assert.isTrue(isCompactMatch(document))
    }
    share = {
      delta: share.delta + frames.delta.length,
      full: share.full + frames.update.length,
      record: share.record + record.length,
    }
  }
  assert.strictEqual(hashes, Math.floor(seq / HASH_EVERY))
  return { seq, share: share.delta / share.full, recordBytes: share.record / seq }
}

const simulated = (seed: number, bestOf: 1 | 3): ReadonlyArray<FeedEvent> =>
  [...simulateMatch({ seed, matchId: matchId(1), bestOf })].map((fact) =>
    toFeedEvent(fact, { observedAt: 1_800_000_000_000 + fact.offsetMs, receivedAt: 1_800_000_000_040 + fact.offsetMs }),
  )

describe("deltas applied in order produce the document at every seq", () => {
  for (const [seed, bestOf] of [
    [1, 1],
    [2, 3],
    [3, 1],
  ] as const) {
    it(`of the simulated match ${seed}`, () => assert.isAbove(follow(simulated(seed, bestOf)).seq, 500), 60_000)
  }

  describe.skipIf(data === null)("of real matches, in less than 15 % of the bytes", () => {
    let changes = 0
    let bytes = 0
    for (const path of data === null ? [] : realMatches(data)) {
      it(path, () => {
        const { recordBytes, seq, share } = follow(factsOf(data ?? "", path))
        assert.isAbove(seq, 0)
        // A match of a few frames consists mostly of its first frame, which is complete.
        if (seq > 100) assert.isBelow(share, 0.15)
        changes += seq
        bytes += recordBytes * seq
      })
    }

    it("LIVE takes less than 1,000 bytes per change, including keyframes", () => {
      assert.isAbove(changes, 1_000)
      assert.isBelow(bytes / changes, 1_000)
    })
  })
})
