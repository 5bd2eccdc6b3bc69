/** Tests repeated and late facts, the feeds of a match and their silence, and lost history. */
import { assert, describe, it } from "@effect/vitest"
import { factId } from "@matchpoint/domain/ids"
import { MAX_STANDBY_REPORTS } from "@matchpoint/game/rules/feedEnvelope"
import { Schema } from "effect"
import { FeedEvent } from "../../../src/rules/live/feedEvents.ts"
import { MAX_SEEN, type MatchState, nextPosition } from "../../../src/rules/live/state.ts"
import { tennisRules } from "../../../src/rules/live/tennisRules.ts"
import { Script } from "./script.ts"

const normal = { kind: "normal" } as const
const backup = { source: "backup" } as const

describe("repeated facts", () => {
  it("do not count after a correction backwards", () => {
    const match = Script.started()
    const first = { ...nextPosition(match.live), winner: 0, ...normal } as const
    const played = match.send("PointPlayed", { set: 1, game: 1, point: 1, winner: 0, ...normal }, { id: factId("first") })
    assert.strictEqual(played._tag, "Accepted")
    const { observedAt } = match.live
    match.wins(0, 3).games(1, 1, 0)
    match.add("ScoreCorrected", { sets: [{ games: [0, 0], tieBreak: null }], points: [0, 0], firstServer: 0 })
    assert.deepInclude(nextPosition(match.live), { set: 1, game: 1, point: 1 })
    const repeated = { set: 1, game: 1, point: 1, winner: 0, ...normal } as const
    assert.deepStrictEqual(first, repeated)
    // The same fact is rejected by its id, and also by its time if the id is forgotten or changed.
    assert.strictEqual(match.rejection("PointPlayed", repeated, { id: factId("first"), observedAt }), "duplicate")
    assert.strictEqual(match.rejection("PointPlayed", repeated, { id: factId("other"), observedAt }), "late_point")
    assert.isUndefined(match.rejection("PointPlayed", repeated))
    assert.strictEqual(match.live.game?.points[0], 1)
  })

  it("are rejected by their time if they are suspensions or corrections", () => {
    const match = Script.started().add("Suspended", {}).add("Resumed", {})
    assert.strictEqual(match.rejection("Suspended", {}, { observedAt: 2_500 }), "late_fact")
    assert.isNull(match.live.suspendedAt)
    const score = { sets: [{ games: [1, 0], tieBreak: null }], points: [0, 0], firstServer: 1 } as const
    match.add("ScoreCorrected", score).wins(1)
    assert.strictEqual(match.rejection("ScoreCorrected", score, { observedAt: 2_500 }), "late_fact")
    assert.deepStrictEqual(match.live.game?.points, [0, 1])
  })

  it("keep the state small, however long the match is", () => {
    const match = Script.started({ bestOf: 5, finalSet: "advantage" })
    for (let n = 0; n < MAX_SEEN; n++) match.add("Suspended", {}).add("Resumed", {})
    assert.lengthOf(match.live.seen, MAX_SEEN)
    const size = JSON.stringify(match.live).length
    match.set(0).set(1).holds(40)
    assert.lengthOf(match.live.seen, MAX_SEEN)
    assert.isBelow(JSON.stringify(match.live).length, size + 1_000)
  })

  it("may have the same id in different feeds", () => {
    const match = Script.started().wins(0)
    const id = factId("shared")
    assert.isUndefined(match.rejection("PointPlayed", { ...position(match), winner: 0, ...normal }, { id }))
    match.add("SourceChanged", { source: "live_backup", basedOn: match.live.seq, reports: [] })
    assert.isUndefined(match.rejection("PointPlayed", { ...position(match), winner: 0, ...normal }, { id, ...backup }))
  })
})

const position = (match: Script) => nextPosition(match.live) ?? assert.fail("no point can be played")

const limits = { quietAfterMs: 45_000, staleAfterMs: 120_000, interruptedAfterMs: 900_000, cancelAfterMs: 21_600_000 }

/** The watchdog of a process that has the match since its newest event. Monotonic time equals the server's clock. */
const watchdogOf = ({ live }: Script) => tennisRules.watchdog(live, limits, live.receivedAt)

/** Appends what the watchdog decides at a time, and returns it. */
const checked = (match: Script, watchdog: ReturnType<typeof tennisRules.watchdog>, now: number): FeedEvent | undefined => {
  const decision = watchdog.check(match.live, now, now)
  if (decision === undefined) return undefined
  const step = tennisRules.fold(match.live, decision)
  assert.strictEqual(step._tag, "Accepted", JSON.stringify(step))
  match.state = step.state
  watchdog.observe(match.state, decision, undefined, now)
  return decision
}

describe("the backup feed", () => {
  /** Reports a point of the backup feed at the given position, as the feed of the watchdog does. */
  const report = (match: Script, watchdog: ReturnType<typeof tennisRules.watchdog>, point: number, at: number): string | undefined => {
    const payload = { set: 1, game: 1, point, winner: 0, ...normal } as const
    const event: FeedEvent = {
      id: factId(`b${point}`),
      matchId: match.live.matchId,
      ...backup,
      observedAt: at,
      receivedAt: at,
      type: "PointPlayed",
      payload,
    }
    const step = tennisRules.fold(match.live, event)
    const code = step._tag === "Rejected" ? step.rejection.code : undefined
    match.state = step.state
    watchdog.observe(step.state, event, code, at)
    return code
  }

  it("is ignored while the main feed is in use", () => {
    const match = Script.started()
    const watchdog = watchdogOf(match)
    assert.strictEqual(report(match, watchdog, 1, 3_000), "backup_standby")
    assert.isTrue(tennisRules.expectedRejections.has("backup_standby"))
    assert.isUndefined(watchdog.check(match.live, 10_000, 10_000))
  })

  it("takes over with everything that the silent main feed has missed", () => {
    const match = Script.started().wins(0)
    const watchdog = watchdogOf(match)
    for (const point of [1, 2, 3]) report(match, watchdog, point, 3_000 + point * 20_000)
    const decision = checked(match, watchdog, 64_000)
    assert.strictEqual(decision?.type, "SourceChanged")
    assert.strictEqual(match.live.source, "live_backup")
    // The first report repeats a point of the main feed. The others are new.
    assert.deepStrictEqual(match.live.game?.points, [3, 0])
    assert.isTrue(match.live.countsEveryPoint)
    assert.strictEqual(match.live.seq, 4)
    assert.isUndefined(report(match, watchdog, 4, 65_000))
    assert.deepStrictEqual(match.live.sets[0]?.games, [1, 0])

    // The main feed returns. What it repeats is late; the next point counts.
    const late = match.send("PointPlayed", { set: 1, game: 1, point: 2, winner: 0, ...normal })
    assert.strictEqual(late._tag === "Rejected" && late.rejection.code, "late_point")
    match.add("PointPlayed", { set: 1, game: 2, point: 1, winner: 1, ...normal })
    const back: FeedEvent = { ...envelope(match.live, "main", 66_000), type: "Suspended", payload: {} }
    watchdog.observe(match.live, back, undefined, 66_000)
    assert.strictEqual(checked(match, watchdog, 70_000)?.type, "SourceChanged")
    assert.strictEqual(match.live.source, "live")
  })

  it("does not take over in a break of both feeds", () => {
    const match = Script.started().wins(0)
    const watchdog = watchdogOf(match)
    report(match, watchdog, 2, 5_000)
    assert.isUndefined(watchdog.check(match.live, 50_000, 50_000))
  })

  it("keeps a bounded number of reports on standby", () => {
    const match = Script.started()
    const watchdog = watchdogOf(match)
    for (let point = 1; point <= MAX_STANDBY_REPORTS + 50; point++) report(match, watchdog, point, 3_000 + point * 1_000)
    const decision = watchdog.check(match.live, 250_000, 250_000)
    assert.isTrue(decision?.type === "SourceChanged" && decision.payload.reports.length === MAX_STANDBY_REPORTS)
    // The decision was not appended. The next check decides the same.
    assert.deepStrictEqual(watchdog.check(match.live, 250_000, 250_000), decision)
  })
})

const envelope = ({ matchId }: MatchState, source: "main" | "backup", at: number) => ({
  id: factId(`at-${at}`),
  matchId,
  source,
  observedAt: at,
  receivedAt: at,
})

describe("silence of all feeds", () => {
  it("makes a match stale, then interrupted, then cancelled", () => {
    const match = Script.started().wins(0)
    const at = match.live.receivedAt
    const watchdog = watchdogOf(match)
    assert.isUndefined(checked(match, watchdog, at))
    assert.isUndefined(checked(match, watchdog, at + limits.staleAfterMs - 1))
    assert.strictEqual(checked(match, watchdog, at + limits.staleAfterMs)?.type, "FeedSilent")
    assert.deepStrictEqual(match.live.silence, { status: "stale", since: at })
    assert.isUndefined(checked(match, watchdog, at + limits.staleAfterMs + 1_000))
    checked(match, watchdog, at + limits.interruptedAfterMs)
    assert.deepStrictEqual(match.live.silence, { status: "interrupted", since: at })
    assert.isUndefined(checked(match, watchdog, at + limits.cancelAfterMs - 1))
    checked(match, watchdog, at + limits.cancelAfterMs)
    assert.deepInclude(match.live, { status: "cancelled", winner: null, endReason: "cancelled", game: null })
    assert.isUndefined(checked(match, watchdog, at + 2 * limits.cancelAfterMs))
  })

  it("ends with the next report", () => {
    const match = Script.started().wins(0)
    const watchdog = watchdogOf(match)
    checked(match, watchdog, match.live.receivedAt + limits.staleAfterMs)
    match.wins(0)
    assert.isNull(match.live.silence)
  })

  it("is normal while play is suspended or has not started", () => {
    const match = Script.created()
    const watchdog = watchdogOf(match)
    assert.isUndefined(checked(match, watchdog, 1_000))
    assert.isUndefined(checked(match, watchdog, 100 * limits.cancelAfterMs))
    const suspended = Script.started().add("Suspended", { reason: "rain" })
    const other = watchdogOf(suspended)
    assert.isUndefined(checked(suspended, other, 3_000 + 4 * limits.interruptedAfterMs))
    assert.isUndefined(checked(suspended, other, 3_000 + 2 * limits.cancelAfterMs))
    assert.strictEqual(checked(suspended, other, 3_000 + 12 * limits.cancelAfterMs)?.type, "Cancelled")
  })

  it("is decided again if a report arrives at the same time", () => {
    const match = Script.started().wins(0)
    const watchdog = watchdogOf(match)
    for (const silentMs of [limits.staleAfterMs, limits.cancelAfterMs]) {
      const at = match.live.receivedAt + silentMs
      const decision = watchdog.check(match.live, at, at) ?? assert.fail("no decision")
      assert.deepStrictEqual(Schema.decodeUnknownSync(FeedEvent)(decision), decision)
      match.wins(0)
      const step = tennisRules.fold(match.live, decision)
      assert.isTrue(step._tag === "Rejected" && tennisRules.expectedRejections.has(step.rejection.code), decision.type)
      // It proves nothing about a feed.
      watchdog.observe(match.live, decision, "outdated", at)
      const again = watchdog.check(match.live, at, at)
      assert.strictEqual(again?.type, decision.type)
      assert.propertyVal(again?.payload, "basedOn", match.live.seq)
    }
  })

  it("that began before a takeover continues, but feeds have time to report first", () => {
    const match = Script.started().wins(0)
    const start = match.live.receivedAt + limits.cancelAfterMs
    const watchdog = tennisRules.watchdog(match.live, limits, start)
    watchdog.resume(match.live.receivedAt)
    assert.isUndefined(checked(match, watchdog, start + limits.staleAfterMs - 1))
    checked(match, watchdog, start + limits.staleAfterMs)
    assert.deepInclude(match.live.silence, { status: "interrupted" })
    assert.isUndefined(checked(match, watchdog, start + limits.interruptedAfterMs - 1))
    assert.strictEqual(checked(match, watchdog, start + limits.interruptedAfterMs)?.type, "Cancelled")
  })
})

describe("lost history", () => {
  it("begins a new epoch, also after the end, and marks the statistics", () => {
    const match = Script.started().wins(0)
    const lost = tennisRules.historyLost(match.live.matchId, 3, 9_000)
    const step = tennisRules.fold(match.live, lost)
    assert.deepInclude(step.state, { epoch: 3, seq: 1, countsEveryPoint: false })
    assert.strictEqual(tennisRules.fold(step.state, lost)._tag, "Rejected")
    const over = Script.started().set(0).set(0)
    assert.strictEqual(tennisRules.fold(over.live, lost)._tag, "Accepted")
  })
})
