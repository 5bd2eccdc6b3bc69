/** Names that match neither team, and silent feeds, in the fold and the watchdog. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { FeedEvent } from "../../../src/rules/live/feedEvents.ts"
import { fold, foldAll } from "../../../src/rules/live/fold.ts"
import { violationOf } from "../../../src/rules/live/invariants.ts"
import { migrateState } from "../../../src/rules/live/migrateState.ts"
import type { MatchState } from "../../../src/rules/live/state.ts"
import { FeedWatchdog } from "../../../src/rules/live/watchFeeds.ts"
import { blue, ctOf, r1, red, Script } from "./script.ts"

const played = () => {
  const script = new Script().create()
  script
    .add("TeamNamesUnknown", {
      names: [
        { name: "x", teamId: red },
        { name: "y", teamId: blue },
      ],
    })
    .map(1)
  for (let round = 1; round <= 13; round++) script.wonBy(red, round)
  return script
}

describe("names that match neither team", () => {
  it("stay unresolved until an alias confirms their assignment", () => {
    assert.deepStrictEqual(
      played()
        .fold()
        .unresolvedNames.map(({ name, team }) => [name, team]),
      [
        ["x", 0],
        ["y", 1],
      ],
    )
    const state = played()
      .add("TeamAliased", { aliases: [{ teamId: red, name: " X " }] })
      .fold()
    assert.deepStrictEqual([state.unresolvedNames, state.winner, state.maps[0]?.score], [[], 0, [13, 0]])
  })

  it("swap all counts if they were assigned to the wrong team, even after the end", () => {
    const before = played().fold()
    const state = played()
      .add("TeamAliased", { aliases: [{ teamId: blue, name: "x" }] })
      .fold()
    assert.deepStrictEqual(
      [state.winner, state.seriesScore, state.maps[0]?.score, state.maps[0]?.halves],
      [
        1,
        [0, 1],
        [0, 13],
        [
          [0, 12],
          [0, 1],
        ],
      ],
    )
    assert.deepStrictEqual(
      state.maps[0]?.rounds.every(({ winnerTeam }) => winnerTeam === 1),
      true,
    )
    assert.strictEqual(state.players.find(({ id }) => id === r1)?.team, 1)
    assert.isUndefined(violationOf(state))
    assert.deepStrictEqual([state.observedAt, state.seq], [before.observedAt, before.seq + 1])
  })

  it("cannot be aliases of both teams", () => {
    const script = played().add("TeamAliased", { aliases: [{ teamId: blue, name: "Red" }] })
    const event = script.events.pop() ?? assert.fail("no event")
    const step = fold(script.fold(), event)
    assert.strictEqual(step._tag === "Rejected" ? step.rejection.code : "accepted", "unknown_team")
  })
})

const MINUTE = 60_000
const patience = { quietAfterMs: 45_000, staleAfterMs: 2 * MINUTE, interruptedAfterMs: 15 * MINUTE, cancelAfterMs: 360 * MINUTE }

/**
 * Returns the events that the watchdog appends during a silence, with one check per minute, and the resulting state.
 */
const silent = (state: MatchState, minutes: number) => {
  const watchdog = new FeedWatchdog(state, patience, 0)
  const said: Array<string> = []
  let now: MatchState = state
  for (let minute = 0; minute <= minutes; minute++) {
    const event = watchdog.check(now, minute * MINUTE, state.receivedAt + minute * MINUTE)
    if (event === undefined) continue
    const step = fold(now, event)
    assert.strictEqual(step._tag, "Accepted", JSON.stringify(step))
    watchdog.observe(step.state, event, undefined, minute * MINUTE)
    now = step.state ?? now
    said.push(`${minute}: ${event.type} ${event.type === "FeedSilent" ? event.payload.status : ""}`.trim())
  }
  return { said, state: now }
}

describe("silent feeds", () => {
  it("make a match stale, then interrupted, and finally cancel it", () => {
    const { said, state } = silent(new Script().begin().live(1).fold(), 400)
    assert.deepStrictEqual(said, ["2: FeedSilent stale", "15: FeedSilent interrupted", "360: MatchEnded"])
    assert.deepStrictEqual([state.status, state.silence], ["cancelled", null])
  })

  it("have four times as long between maps", () => {
    const script = new Script().begin({ bestOf: 3 })
    for (let round = 1; round <= 13; round++) script.wonBy(red, round)
    assert.deepStrictEqual(silent(script.fold(), 100).said, ["8: FeedSilent stale", "60: FeedSilent interrupted"])
  })

  it("do not affect a match that has not started", () => {
    assert.deepStrictEqual(silent(new Script().create().fold(), 10_000).said, [])
  })

  it("are cleared by the next fact, and a round after the silence is still accepted", () => {
    const script = new Script().begin().live(1)
    const { state } = silent(script.fold(), 20)
    assert.deepInclude(state.silence, { status: "interrupted" })
    assert.strictEqual(state.observedAt, script.fold().observedAt)
    const later = script
      .wait(20 * MINUTE)
      .live(9, ctOf(9))
      .events.slice(-1)
    const again = foldAll(state, later)
    assert.deepStrictEqual([again?.silence, again?.round?.number], [null, 9])
  })

  it("get time to report after a restart of the server, which did not receive their facts", () => {
    const state = new Script().begin().live(1).fold()
    const watchdog = new FeedWatchdog(state, patience, 0)
    watchdog.resume(-60 * MINUTE)
    const at = state.receivedAt + 60 * MINUTE
    assert.isUndefined(watchdog.check(state, 0, at))
    assert.isUndefined(watchdog.check(state, MINUTE, at))
    assert.deepInclude(watchdog.check(state, 2 * MINUTE, at)?.payload, { status: "interrupted" })
  })

  it("do not cancel a match that has changed in the meantime", () => {
    const script = new Script().begin().live(1)
    const state = script.fold()
    const watchdog = new FeedWatchdog(state, patience, 0)
    const decision = watchdog.check(state, 360 * MINUTE, state.receivedAt + 360 * MINUTE) ?? assert.fail("no decision")
    assert.strictEqual(decision.type, "MatchEnded")
    assert.deepStrictEqual(Schema.decodeUnknownSync(FeedEvent)(decision), decision)
    const later = script.wait(MINUTE).end(1, "CT").fold()
    assert.strictEqual(fold(later, decision)._tag, "Rejected")
    // It proves nothing about a feed.
    watchdog.observe(later, decision, "no_change", 360 * MINUTE)
    assert.strictEqual(watchdog.check(later, 360 * MINUTE, later.receivedAt)?.type, "MatchEnded")
  })
})

describe("a state of format 2", () => {
  it("is migrated to the state that the same facts give in the current format", () => {
    const state = new Script().begin().wonBy(red, 1).live(2).fold()
    const { silence: _, unresolvedNames: __, ...rest } = state
    const teams = state.teams.map(({ aliases: ___, ...team }) => team)
    assert.deepStrictEqual(migrateState(2, JSON.parse(JSON.stringify({ ...rest, format: 2, teams }))), state)
    assert.isUndefined(migrateState(1, {}))
  })
})
