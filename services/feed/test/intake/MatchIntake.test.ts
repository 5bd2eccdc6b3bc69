/** A session after others have appended to FEED equals a session that reads FEED from the beginning. */
import { assert, describe, it } from "@effect/vitest"
import { createdEvent } from "@matchpoint/cs2/feed/adapters/Recording"
import { sheetsOf } from "@matchpoint/cs2/feed/adapters/teams"
import { intakeOf, reread, takeIn } from "@matchpoint/cs2/feed/intake/MatchIntake"
import { matchId } from "@matchpoint/cs2/rules/ids"
import type { FeedEvent } from "@matchpoint/cs2/rules/live/feedEvents"
import { competitiveRules } from "@matchpoint/cs2/rules/live/rules"
import { factId } from "@matchpoint/domain/ids"
import { computed } from "@matchpoint/game/feed/slices"

const teams = sheetsOf("North", "South")
const created = createdEvent(matchId(9), { bestOf: 1, teams, rules: competitiveRules, roster: [] }, 1_000)

const fact = (id: string, type: "MapStarted" | "RoundLive", payload: Record<string, unknown>, source: "main" | "backup") => ({
  id: factId(id),
  type,
  observedAt: 2_000,
  payload,
  source,
})
const map = { mapNumber: 1, mapName: "de_nuke", ctTeamId: teams[0].id }
const handover = { id: factId("source:1"), matchId: matchId(9), source: "main", observedAt: 2_000, receivedAt: 2_000 } as const

describe("reread", () => {
  it("inserts facts of others between its own in FEED's order", () => {
    const before = intakeOf([created]) ?? assert.fail("no match")
    const facts = [
      fact("a", "MapStarted", map, "backup"),
      fact("b", "MapStarted", map, "main"),
      fact("c", "RoundLive", { mapNumber: 1, round: 1 }, "main"),
    ]
    const { events, next, problems } = computed(takeIn(before, { _tag: "Facts", facts }, 2_000))
    assert.deepStrictEqual([events.length, problems], [3, []])
    const changed: FeedEvent = { ...handover, type: "SourceChanged", payload: { source: "live_backup" } }
    for (const place of [0, 1, 2, 3]) {
      const records = events.map((event) => ({ event, isOwn: true }))
      records.splice(place, 0, { event: changed, isOwn: false })
      const again = reread(before, next, records)
      const fresh = intakeOf([created, ...records.map(({ event }) => event)])
      assert.deepStrictEqual(again.main.state, fresh?.main.state)
      assert.deepStrictEqual(again.backup?.state, fresh?.backup?.state)
      assert.strictEqual(again.main.state.source, "live_backup")
    }
    assert.strictEqual(
      reread(
        before,
        next,
        events.map((event) => ({ event, isOwn: true })),
      ),
      next,
    )
  })
})
