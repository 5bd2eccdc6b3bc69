/** Webhook events of whole simulated matches: what holds for every match, whatever its feeds do. */
import { assert, describe, it } from "@effect/vitest"
import type { WebhookEvent } from "@matchpoint/contracts/webhook/webhookEvents"
import { projectMatch } from "@matchpoint/cs2/live/projectMatch"
import { matchId } from "@matchpoint/cs2/rules/ids"
import type { FeedEvent } from "@matchpoint/cs2/rules/live/feedEvents"
import { factId } from "@matchpoint/domain/ids"
import { inRun } from "@matchpoint/testing/bothRuns"
import { Schema } from "effect"
import { simulatedEvents } from "../simulated.ts"
import { type Announced, announcedBy, checkEvents } from "./webhookPlay.ts"

const id = matchId(1001)
const Seed = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 }))
const Share = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))

const counted = (announced: ReadonlyArray<Announced>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const { events } of announced) for (const { name } of events) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

const checkWholeMatch = (announced: ReadonlyArray<Announced>): void => {
  const final = announced.at(-1)?.change.after ?? assert.fail("no change was accepted")
  const counts = counted(announced)
  for (const one of announced) checkEvents(one)
  checkNewestScores(announced)
  const once = ["cs2.match.started", "match.started", "cs2.match.live_started", "cs2.match.ended", "match.ended"]
  assert.deepStrictEqual(
    once.map((name) => counts.get(name)),
    [1, 1, 1, 1, 1],
  )
  const rounds = final.maps.reduce((sum, map) => sum + map.rounds.length, 0)
  const kills = announced.filter(({ change }) => change.event.type === "PlayerKilled").length
  const maps = final.maps.length
  const expected = [rounds, rounds, kills, kills, maps, maps]
  const names = ["cs2.round.ended", "round.ended", "cs2.player.kill", "player.kill", "cs2.map.started", "cs2.map.ended"]
  assert.deepStrictEqual(
    names.map((name) => counts.get(name)),
    expected,
  )
  assert.strictEqual(counts.get("cs2.score.updated"), counts.get("match.updated"))
}

/**
 * Checks after every change that the newest announced score is that of the document. The document differs while the
 * main feed repeats what the backup feed has already reported.
 */
const checkNewestScores = (announced: ReadonlyArray<Announced>): void => {
  let newest: unknown = [0, 0, { team1: 0, team2: 0 }]
  for (const { change, events } of announced) {
    for (const { data, name } of events) {
      if (name === "cs2.score.updated" || name === "cs2.map.started") newest = [data["team1Score"], data["team2Score"], data["seriesScore"]]
    }
    if (change.after.source === "live" && change.after.backup !== null) continue
    const { seriesScore, teams } = projectMatch(change.after)
    assert.deepStrictEqual(newest, [teams[0].mapScore, teams[1].mapScore, seriesScore], `after ${change.event.type} ${change.event.id}`)
  }
}

describe("whole matches", () => {
  it.prop(
    "have one start, one end, every round, kill and map once, and the same events when folded again",
    { seed: Seed, lost: Share },
    ({ seed, lost }) => {
      const facts = [...simulatedEvents(seed, id, seed % 2 === 0 ? 3 : 1)]
      const announced = [...announcedBy(facts)]
      checkWholeMatch(announced)
      const restored = JSON.parse(JSON.stringify(facts)) as ReadonlyArray<FeedEvent>
      const again = [...announcedBy(restored)].flatMap(({ events }) => events)
      assert.deepStrictEqual(
        again,
        announced.flatMap(({ events }) => events),
      )
      // An owner that continues from a checkpoint derives the same events.
      const { change, events } =
        announced[Math.min(announced.length - 1, Math.floor(lost * announced.length))] ?? assert.fail("the match is empty")
      const before = change.before === undefined ? undefined : JSON.parse(JSON.stringify(change.before))
      assert.deepStrictEqual(
        [...announcedBy([change.event], before)].flatMap((one) => one.events),
        events,
      )
      // A new epoch anywhere in the match neither repeats nor removes an event.
      const at = Math.max(1, Math.floor(lost * facts.length))
      const like = facts[at - 1] ?? assert.fail("the match is empty")
      const historyLost: FeedEvent = { ...like, id: factId("lost"), type: "HistoryLost", payload: { epoch: 2 } }
      checkWholeMatch([...announcedBy([...facts.slice(0, at), historyLost, ...facts.slice(at)])])
    },
    { timeout: 60_000, arbitrary: { runs: inRun(5, 40) } },
  )

  it.prop(
    "announce nothing twice, in any part that the backup feed reports and that the main feed repeats or loses",
    { seed: Seed, from: Share, until: Share, isRepeated: Schema.Boolean },
    ({ seed, from, until, isRepeated }) => {
      const facts = simulatedEvents(seed, id, seed % 2 === 0 ? 3 : 1)
      const [a, b] = [from, until].map((share) => 1 + Math.floor(share * (facts.length - 2))).sort((one, other) => one - other)
      if (a === undefined || b === undefined) return
      const change = (name: string, source: "live" | "live_backup", index: number): FeedEvent => ({
        ...(facts[index] ?? assert.fail("no such fact")),
        id: factId(name),
        type: "SourceChanged",
        payload: { source },
      })
      const announced = [
        ...announcedBy([
          ...facts.slice(0, a),
          change("to-backup", "live_backup", a),
          ...facts.slice(a, b).map((fact): FeedEvent => ({ ...fact, source: "backup" })),
          change("back", "live", b),
          ...facts.slice(isRepeated ? a : b),
        ]),
      ]
      const final = announced.at(-1)?.change.after ?? assert.fail("no change was accepted")
      for (const one of announced) checkEvents(one)
      checkNewestScores(announced)
      const events = announced.flatMap((one) => one.events)
      const keysOf = (name: string, key: (data: WebhookEvent["data"]) => unknown) =>
        events.filter((event) => event.name === name).map(({ data }) => key(data))
      const all = (name: string, key: (data: WebhookEvent["data"]) => unknown, expected: ReadonlyArray<unknown>) =>
        assert.deepStrictEqual(keysOf(name, key), expected, name)
      const mapsOf = (status: "live" | "completed") => final.maps.filter((map) => status === "live" || map.status === status)
      all("match.started", () => 1, [1])
      all("cs2.match.live_started", () => 1, [1])
      all("match.ended", () => 1, final.status === "completed" ? [1] : [])
      all(
        "cs2.map.started",
        (data) => data["mapNumber"],
        mapsOf("live").map(({ number }) => number),
      )
      all(
        "cs2.map.ended",
        (data) => data["mapNumber"],
        mapsOf("completed").map(({ number }) => number),
      )
      const rounds = keysOf("round.ended", (data) => `${data["mapNumber"]}:${data["round"]}`)
      assert.deepStrictEqual([...new Set(rounds)], rounds)
    },
    { timeout: 60_000, arbitrary: { runs: inRun(10, 100) } },
  )
})
