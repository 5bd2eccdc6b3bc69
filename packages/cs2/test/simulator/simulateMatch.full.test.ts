import { createHash } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { ordinalOf } from "@matchpoint/simulator/simulatedFactId"
import { Schema } from "effect"
import { matchId } from "../../src/rules/ids.ts"
import { type FeedEvent, FeedEvent as FeedEventSchema } from "../../src/rules/live/feedEvents.ts"
import { competitiveRules, type MatchRules } from "../../src/rules/live/rules.ts"
import { GENERATOR_VERSION, simulateMatch } from "../../src/simulator/simulateMatch.ts"
import { toFeedEvent } from "../../src/simulator/timedFact.ts"
import { options, play } from "./playedMatches.ts"

const isFeedEvent = Schema.is(FeedEventSchema)

describe("simulateMatch", () => {
  it("gives byte-identical facts for the same seed and different ones for another", () => {
    const text = (seed: number) => JSON.stringify([...simulateMatch(options(seed))])
    for (const seed of [0, 1, 2, 3, 2 ** 45 + 1]) assert.strictEqual(text(seed), text(seed))
    assert.notStrictEqual(text(1), text(3))
  })

  it("gives the recorded facts of this generator version", () => {
    const digest = createHash("sha256")
    for (let seed = 0; seed < 20; seed++) for (const fact of simulateMatch(options(seed))) digest.update(JSON.stringify(fact))
    // If this fails, the generator has changed: raise GENERATOR_VERSION. Otherwise matches started before an update
    // continue with wrong facts.
    assert.deepStrictEqual(
      [GENERATOR_VERSION, digest.digest("hex")],
      [1, "e60c024c03c189042273fcfde61f8ee40c01ce45fba03ac14459f7e49bbffa4b"],
    )
  })

  it("resumes after the n-th fact without a difference", () => {
    const all = [...simulateMatch(options(4))]
    for (const n of [0, 1, 2, 57, 700, all.length - 1, all.length, all.length + 5]) {
      assert.deepStrictEqual([...simulateMatch(options(4)).drop(n)], all.slice(n))
    }
  })

  it("plays a round only when its facts are requested", () => {
    // Without round time, defenders win every round and overtimes never end.
    const match = simulateMatch({ ...options(2), rules: { ...competitiveRules, roundSeconds: 0 } })
    assert.strictEqual([...match.take(10_000)].length, 10_000)
  })

  it("numbers its facts 1, 2, 3, ... in order of time", () => {
    for (let seed = 0; seed < 20; seed++) {
      let ordinal = 0
      let offset = 0
      for (const fact of simulateMatch(options(seed))) {
        ordinal += 1
        assert.strictEqual(ordinalOf(fact.factId), ordinal)
        assert.isTrue(Number.isInteger(fact.offsetMs) && fact.offsetMs >= offset, `${fact.factId} is at ${fact.offsetMs} after ${offset}`)
        offset = fact.offsetMs
      }
    }
  })

  it("reads ordinals only from ids of the simulator", () => {
    for (const id of ["sim:0", "sim:01", "sim:", "sim:1x", "watchdog:1", "sim:12345678901"]) assert.isUndefined(ordinalOf(id))
  })

  it("yields only facts that match the feed event schema", () => {
    for (let seed = 0; seed < 6; seed++) {
      for (const fact of simulateMatch(options(seed))) {
        const event: FeedEvent = toFeedEvent(fact, { observedAt: 1_000 + fact.offsetMs, receivedAt: 2_000 + fact.offsetMs })
        assert.isTrue(isFeedEvent(event), JSON.stringify(event))
      }
    }
  })

  const odd: ReadonlyArray<readonly [string, Partial<MatchRules>]> = [
    ["MR15 with MR5 overtimes", { maxRounds: 30, overtimeRounds: 10 }],
    ["MR8 without overtime, where maps are drawn", { maxRounds: 16, overtimeRounds: 0 }],
    ["two rounds", { maxRounds: 2, overtimeRounds: 2 }],
    ["no freeze time, unknown timeouts", { freezeSeconds: 0, timeouts: null }],
    ["short rounds, short bombs", { roundSeconds: 30, bombSeconds: 10, freezeSeconds: 3, timeouts: 0 }],
  ]
  it.each(odd)("supports other rules: %s", (_, change) => {
    for (let seed = 0; seed < 10; seed++) {
      for (const bestOf of [1, 3, 5] as const) {
        const rules = { ...competitiveRules, ...change }
        const { rejections, state } = play({ seed, matchId: matchId(1), bestOf, rules })
        assert.deepStrictEqual(rejections, [])
        assert.strictEqual(state.status, "completed")
      }
    }
  })
})
