import { assert, describe, it } from "@effect/vitest"
import { liveMessageId, repeatMessageId } from "@matchpoint/contracts/bus/subjects"
import { matchIdOf } from "@matchpoint/domain/ids"
import { TENNIS } from "@matchpoint/tennis/rules/game"
import { plannedMatch } from "../load/feeds/plannedMatch.ts"
import { checkBill } from "./bills.ts"
import { checkDeliveries } from "./deliveries.ts"
import { checkDocument, differences } from "./documents.ts"
import { expectedMatch } from "./expected.ts"
import { checkLiveLog } from "./liveLog.ts"
import { collectPauses } from "./pauses.ts"
import type { TranscriptEntry } from "./transcript.ts"

const matchId = matchIdOf(TENNIS, 1001)
const plan = plannedMatch(7, 1, 60)
const times = plan.facts.slice(0, 60).map((_, index) => 1_000 * (index + 1))
const expected = expectedMatch(matchId, plan, times)

describe("the expected state of a match", () => {
  it("has one seq per fact, besides the creation of the match", () => {
    assert.strictEqual(expected.seq, 61)
    assert.strictEqual(expectedMatch(matchId, plan, times.slice(0, 10)).seq, 11)
    assert.isAbove(expected.webhookIds.length, 3)
  })

  it("is the same for the same seed, and has other facts for another", () => {
    assert.deepStrictEqual(plannedMatch(7, 1, 60), plan)
    assert.notDeepEqual(plannedMatch(8, 1, 60).facts, plan.facts)
  })
})

describe("the check of documents", () => {
  it("names the path of each difference", () => {
    assert.deepStrictEqual(differences({ a: 1, b: { c: [1, 2] } }, { a: 1, b: { c: [1, 3] } }), ["b.c.1 is 2, not 3"])
    assert.deepStrictEqual(checkDocument(expected, { gateway: "g", document: structuredClone(expected.document) }), [])
    const other = { ...expected.document, source: "backup" }
    assert.include(checkDocument(expected, { gateway: "g", document: other })[0] ?? "", "source is")
    assert.lengthOf(checkDocument(expected, { gateway: "g", document: undefined }), 1)
  })
})

describe("the check of deliveries", () => {
  const all = expected.webhookIds.map((id) => ({ id, matchId }))

  it("accepts every event in order, and repetitions", () => {
    const report = checkDeliveries([expected], [...all, ...all.slice(0, 2)])
    assert.deepStrictEqual(report, { expected: all.length, delivered: all.length, repeated: 2, findings: [] })
  })

  it("reports missing, unexpected and reordered events", () => {
    const [first, second, ...rest] = all
    if (first === undefined || second === undefined) throw new Error("the plan has too few events")
    assert.include(checkDeliveries([expected], all.slice(1)).findings[0] ?? "", "were never delivered")
    assert.include(checkDeliveries([expected], [...all, { id: "evt_x", matchId }]).findings[0] ?? "", "belong to no change")
    assert.include(checkDeliveries([expected], [second, first, ...rest]).findings[0] ?? "", "was delivered after a later one")
    assert.include(checkDeliveries([], all).findings[0] ?? "", "unknown match")
  })
})

describe("the check of the LIVE log", () => {
  it("accepts each cursor once and in order, and repeated keyframes", () => {
    const ids = [
      liveMessageId(matchId, 1, 1),
      liveMessageId(matchId, 1, 2),
      repeatMessageId(matchId, 1, 2, 1),
      liveMessageId(matchId, 1, 3),
    ]
    const { epochs, findings, seqs } = checkLiveLog(ids)
    assert.deepStrictEqual([findings, epochs, seqs.get(matchId)], [[], 0, 3])
  })

  it("reports holes, repetitions and stale repeats, and counts new epochs", () => {
    assert.lengthOf(checkLiveLog([liveMessageId(matchId, 1, 1), liveMessageId(matchId, 1, 3)]).findings, 1)
    assert.lengthOf(checkLiveLog([liveMessageId(matchId, 1, 1), liveMessageId(matchId, 1, 1)]).findings, 1)
    assert.lengthOf(
      checkLiveLog([liveMessageId(matchId, 1, 1), liveMessageId(matchId, 1, 2), repeatMessageId(matchId, 1, 1, 1)]).findings,
      1,
    )
    assert.strictEqual(checkLiveLog([liveMessageId(matchId, 1, 1), liveMessageId(matchId, 2, 2)]).epochs, 1)
  })
})

describe("the check of a bill", () => {
  const use = { name: "crowd", key: "k", clients: 1, connects: 2, spans: [[[0, 20_000] as const, [21_000, 50_000] as const]] }

  it("allows one connect and the full periods of 15 seconds", () => {
    const { least, most, secondConnects, unbilled } = checkBill(use, 4)
    assert.deepStrictEqual({ least, most, secondConnects, unbilled }, { least: 3, most: 4, secondConnects: 0, unbilled: 0 })
  })

  it("counts connects that were billed again, and ticks that were not billed", () => {
    assert.strictEqual(checkBill(use, 5).secondConnects, 1)
    assert.strictEqual(checkBill(use, 5, true).secondConnects, 0)
    assert.strictEqual(checkBill(use, 1).unbilled, 2)
  })
})

describe("pauses", () => {
  it("are the longest time between new frames of a match that overlaps the window", () => {
    const frame = (seq: number, at: number): TranscriptEntry => ({ kind: "frame", at, matchId, epoch: 1, seq, publishedAt: at })
    const longest = new Map<string, number>()
    const entries = [frame(1, 0), frame(2, 5_000), frame(3, 5_500), frame(3, 6_000), frame(4, 7_500), frame(5, 20_000)]
    collectPauses(entries, { from: 5_200, to: 7_000 }, longest)
    assert.deepStrictEqual([...longest], [[matchId, 2_000]])
    const unfinished = new Map<string, number>()
    collectPauses(entries.slice(0, 2), { from: 5_200, to: 9_000 }, unfinished)
    assert.deepStrictEqual([...unfinished], [[matchId, 4_000]])
    const over = new Map<string, number>()
    collectPauses(entries.slice(0, 2), { from: 5_200, to: 9_000, lastFactAt: { [matchId]: 5_100 } }, over)
    assert.deepStrictEqual([...over], [[matchId, 100]])
  })
})
