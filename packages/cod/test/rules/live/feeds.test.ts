/** Tests repeated and late facts, the feeds of a match and their silence, and lost history. */
import { assert, describe, it } from "@effect/vitest"
import { factId } from "@matchpoint/domain/ids"
import { Schema } from "effect"
import { codRules } from "../../../src/rules/live/codRules.ts"
import { FeedEvent, type ReportedEvent } from "../../../src/rules/live/feedEvents.ts"
import { MAX_SEEN } from "../../../src/rules/live/state.ts"
import { Script } from "./script.ts"

const limits = { quietAfterMs: 15_000, staleAfterMs: 60_000, interruptedAfterMs: 300_000, cancelAfterMs: 1_800_000 }
const backup = { source: "backup" } as const

describe("facts", () => {
  it("count once, also if their ids are no longer known", () => {
    const match = Script.on("hardpoint")
    const kill = match.kill("a1>b1")
    match.add("PlayerKilled", kill, { id: factId("k") })
    const { observedAt } = match.live
    assert.strictEqual(match.rejection("PlayerKilled", kill, { id: factId("k"), observedAt }), "duplicate")
    for (let n = 0; n < MAX_SEEN; n += 1) match.add("HillChanged", { map: 1, hill: 1, holder: null, isContested: n % 2 === 0 })
    assert.strictEqual(match.rejection("PlayerKilled", kill, { id: factId("k"), observedAt }), "late_fact")
    assert.lengthOf(match.live.seen, MAX_SEEN)
  })

  it("may arrive ten seconds late, but not from the future", () => {
    const match = Script.on("hardpoint").pass(30)
    const now = match.kills("a1>b1").live.observedAt
    assert.isUndefined(match.rejection("PlayerKilled", match.kill("a1>b2"), { observedAt: now - 9_000 }))
    assert.strictEqual(match.rejection("PlayerKilled", match.kill("a1>b2"), { observedAt: now - 11_000 }), "late_fact")
    assert.strictEqual(match.rejection("PlayerKilled", match.kill("a1>b2"), { observedAt: now + 300_000 }), "observed_in_future")
  })
})

describe("the backup feed", () => {
  /** A match whose main feed has fallen silent after a kill that both feeds have reported. */
  const switched = () => {
    const match = Script.on("hardpoint").kills("a1>b1")
    const start = match.live.observedAt
    const watchdog = codRules.watchdog(match.live, limits, start)
    const reports = [
      { id: factId("x1"), kill: match.kill("a1>b1"), at: start },
      { id: factId("x2"), kill: match.kill("a2>b2"), at: start + 16_000 },
    ]
    for (const { at, id, kill } of reports) {
      const change = { ...backup, id, observedAt: at, receivedAt: at }
      assert.strictEqual(match.rejection("PlayerKilled", kill, change), "backup_standby")
      const event = { ...change, matchId: match.live.matchId, type: "PlayerKilled", payload: kill } as ReportedEvent
      watchdog.observe(match.live, event, "backup_standby", at)
    }
    const decision = watchdog.check(match.live, start + 17_000, start + 17_000)
    assert.strictEqual(decision?.type, "SourceChanged")
    const step = codRules.fold(match.live, decision as FeedEvent)
    if (step._tag === "Rejected") throw new Error(step.rejection.message)
    match.state = step.state
    return { match: match.pass(20), start }
  }

  it("takes over with what it reported after the newest fact, and counts nothing twice", () => {
    const { match } = switched()
    assert.strictEqual(match.live.source, "live_backup")
    assert.deepStrictEqual([match.line("a1").kills, match.line("a2").kills], [1, 1])
  })

  it("is on standby again as soon as the main feed reports", () => {
    const { match } = switched()
    match.add("PlayerKilled", match.kill("a3>b3"), backup)
    assert.strictEqual(match.live.source, "live_backup")
    assert.strictEqual(match.rejection("PlayerKilled", match.kill("a3>b3"), { observedAt: match.live.newest.at - 1 }), "late_fact")
    match.kills("a4>b4")
    assert.strictEqual(match.live.source, "live")
    assert.strictEqual(match.rejection("PlayerKilled", match.kill("a4>b4"), backup), "backup_standby")
  })
})

describe("silence", () => {
  it("becomes stale, interrupted, and then cancels the match", () => {
    const match = Script.on("hardpoint")
    const start = match.live.receivedAt
    const watchdog = codRules.watchdog(match.live, limits, start)
    const at = (ms: number) => {
      const decision = watchdog.check(match.live, start + ms, start + ms)
      if (decision !== undefined) match.state = codRules.fold(match.live, decision as FeedEvent).state
      return match.live.silence?.status ?? match.live.status
    }
    assert.deepStrictEqual([at(0), at(61_000), at(301_000), at(1_801_000)], ["live", "stale", "interrupted", "cancelled"])
  })
})

describe("a cancellation because of silence", () => {
  it("is rejected if a feed has reported in the meantime", () => {
    const match = Script.on("hardpoint")
    const watchdog = codRules.watchdog(match.live, limits, 0)
    const decision = watchdog.check(match.live, limits.cancelAfterMs, match.live.receivedAt) ?? assert.fail("no decision")
    assert.strictEqual(decision.type, "Cancelled")
    assert.deepStrictEqual<unknown>(Schema.decodeUnknownSync(FeedEvent)(decision), decision)
    match.kills("a1>b1")
    const step = codRules.fold(match.live, decision as FeedEvent)
    assert.strictEqual(step._tag === "Rejected" && step.rejection.code, "outdated")
  })
})

describe("lost history", () => {
  it("starts a new epoch whose statistics are not complete", () => {
    const match = Script.on("hardpoint").kills("a1>b1")
    const lost = codRules.historyLost(match.live.matchId, 2, match.live.observedAt)
    const step = codRules.fold(match.live, lost)
    assert.deepInclude(step.state, { epoch: 2, seq: 1, countsEverything: false })
    assert.strictEqual(codRules.fold(step.state, lost)._tag, "Rejected")
  })
})
