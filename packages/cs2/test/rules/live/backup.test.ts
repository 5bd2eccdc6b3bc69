/** A match while the backup feed is in use, and afterwards: which facts count, and that none counts twice. */
import { assert, describe, it } from "@effect/vitest"
import { factId } from "@matchpoint/domain/ids"
import { knownSeries } from "../../../src/rules/live/backupSeries.ts"
import { decide } from "../../../src/rules/live/decide.ts"
import type { FeedEvent } from "../../../src/rules/live/feedEvents.ts"
import { fold, foldAll } from "../../../src/rules/live/fold.ts"
import { currentMap, type MatchState } from "../../../src/rules/live/state.ts"
import { b1, blue, ctOf, r1, red, Script } from "./script.ts"

let changes = 0

/** The watchdog's decision to switch feeds. */
const source = (name: "live" | "live_backup", like: FeedEvent): FeedEvent => ({
  id: factId(`source:${++changes}`),
  matchId: like.matchId,
  source: "main",
  observedAt: like.observedAt,
  receivedAt: like.receivedAt,
  type: "SourceChanged",
  payload: { source: name },
})

const byBackup = (event: FeedEvent): FeedEvent => ({ ...event, source: "backup" })

const last = (events: ReadonlyArray<FeedEvent>): FeedEvent => events.at(-1) ?? assert.fail("no event")

const folded = (events: ReadonlyArray<FeedEvent>): MatchState => foldAll(undefined, events) ?? assert.fail("no match")

/** Returns the rejected events and their codes. */
const refusals = (events: ReadonlyArray<FeedEvent>): ReadonlyArray<string> => {
  const codes: Array<string> = []
  let state: MatchState | undefined
  for (const event of events) {
    const step = fold(state, event)
    if (step._tag === "Rejected") codes.push(`${event.source} ${event.type}: ${step.rejection.code}`)
    state = step.state
  }
  return codes
}

/** Two maps of 13 rounds for red, a kill in each round. */
const wholeMatch = () => {
  const script = new Script().create({ bestOf: 3 })
  for (const map of [1, 2]) {
    script.map(map)
    for (let round = 1; round <= 13; round++) {
      const ct = ctOf(round)
      script.live(round, ct, map)
      script.add("PlayerKilled", { mapNumber: map, round, killerId: r1, victimId: b1, assisterId: null, weapon: "ak47", headshot: false })
      script.end(round, ct === red ? "CT" : "T", "elimination", map)
    }
  }
  return script.events
}

const isOf = (map: number, round: number) => (event: FeedEvent) =>
  "round" in event.payload && event.payload.mapNumber === map && event.payload.round === round

/** Returns the parts of the state that make up the result of a match. */
const resultOf = ({ maps, players, seriesScore, status, winner }: MatchState) => ({ maps, players, seriesScore, status, winner })

describe("backup feed in use", () => {
  const events = wholeMatch()
  const cut = events.findIndex(isOf(1, 5)) + 2
  const before = events.slice(0, cut)
  const handover = source("live_backup", last(before))

  it("is folded for the series only; other facts are rejected with their own code", () => {
    const reported = events.slice(cut, events.findIndex(isOf(1, 8))).map(byBackup)
    assert.deepStrictEqual([...new Set(refusals([...before, handover, ...reported]))].sort(), [
      "backup PlayerKilled: backup_detail",
      "backup RoundLive: backup_detail",
      "backup RoundStarted: backup_detail",
    ])
    const state = folded([...before, handover, ...reported])
    assert.deepStrictEqual(knownSeries(state).maps.at(-1)?.score, [7, 0])
    assert.deepStrictEqual(currentMap(state)?.score, [4, 0])
    assert.deepStrictEqual(state.players, folded(before).players)
  })

  it("completes the match if the main feed does not return", () => {
    const state = folded([...before, handover, ...events.slice(cut).map(byBackup)])
    assert.deepInclude(state, { status: "completed", winner: 0, endReason: "completed" })
    assert.deepStrictEqual(state.seriesScore, [2, 0])
    assert.deepStrictEqual(
      state.maps.map(({ roundsPlayed, score, status, winner }) => ({ roundsPlayed, score, status, winner })),
      [1, 2].map(() => ({ roundsPlayed: 13, score: [13, 0] as const, status: "completed" as const, winner: 0 as const })),
    )
    // Kills that the main feed reported on the first map.
    assert.strictEqual(
      state.maps[0]?.lines.find((line) => line.playerId === r1)?.kills,
      before.filter((e) => e.type === "PlayerKilled").length,
    )
  })

  it("is on standby while the main feed reports", () => {
    assert.strictEqual(decide(folded(before), byBackup(events[cut] ?? handover))?.code, "backup_standby")
  })

  it("can be the only feed of a match", () => {
    const [created, ...rest] = events
    if (created === undefined) return assert.fail("no match")
    const state = folded([created, source("live_backup", created), ...rest.map(byBackup)])
    assert.deepInclude(state, { status: "completed", winner: 0 })
    assert.deepStrictEqual(state.seriesScore, [2, 0])
  })

  it("continues from its standby series if it took over late", () => {
    const [created, ...rest] = events
    if (created === undefined) return assert.fail("no match")
    const change = source("live_backup", created)
    const reported = { ...change, payload: { source: "live_backup", series: knownSeries(folded(before)) } } as FeedEvent
    const state = folded([created, reported, ...rest.slice(cut).map(byBackup)])
    assert.deepStrictEqual(state.seriesScore, [2, 0])
  })

  it("ignores repeated facts", () => {
    const reported = events.slice(cut, events.findIndex(isOf(2, 3))).map(byBackup)
    const once = folded([...before, handover, ...reported])
    const twice = folded([...before, handover, ...reported, ...reported])
    assert.strictEqual(JSON.stringify(twice), JSON.stringify(once))
  })
})

describe("main feed back in use", () => {
  const events = wholeMatch()
  const undisturbed = resultOf(folded(events))
  const places = ["before the first map", "in a round", "between rounds", "between maps"] as const
  const cuts: Readonly<Record<(typeof places)[number], number>> = {
    "before the first map": 1,
    "in a round": events.findIndex(isOf(1, 5)) + 2,
    "between rounds": events.findIndex(isOf(1, 6)),
    "between maps": events.findIndex(({ payload, type }) => type === "MapStarted" && "mapNumber" in payload && payload.mapNumber === 2),
  }

  for (const place of places) {
    const cut = cuts[place]
    const back = events.findIndex(isOf(2, 4))
    const like = events[cut] ?? assert.fail("no place")
    const silence = events.slice(cut, back).map(byBackup)

    it(`counts nothing twice if it repeats the facts of its silence under the backup's ids: ${place}`, () => {
      for (const changed of [0, 1, 7]) {
        const resent = [...events.slice(cut, cut + changed), source("live", like), ...events.slice(cut + changed)]
        const all = [...events.slice(0, cut), source("live_backup", like), ...silence, ...resent]
        assert.deepStrictEqual(resultOf(folded(all)), undisturbed, `source changed after ${changed} facts`)
        assert.isNull(folded(all).backup)
        assert.deepStrictEqual(
          refusals(all).filter((code) => code.startsWith("main")),
          [],
        )
      }
    })

    it(`gives the right series if it does not repeat the facts of its silence: ${place}`, () => {
      const all = [...events.slice(0, cut), source("live_backup", like), ...silence, source("live", like), ...events.slice(back)]
      const state = folded(all)
      assert.deepStrictEqual(
        refusals(all).filter((code) => code.startsWith("main")),
        [],
      )
      assert.deepInclude(state, { status: "completed", winner: 0, backup: null })
      assert.deepStrictEqual(state.seriesScore, [2, 0])
      assert.deepStrictEqual(
        state.maps.map(({ score }) => score),
        [
          [13, 0],
          [13, 0],
        ],
      )
    })
  }

  it("gives the same result if the feeds switch every few facts", () => {
    const all: Array<FeedEvent> = []
    for (const [index, event] of events.entries()) {
      all.push(event)
      if (index > 0 && index % 9 === 0) all.push(source("live_backup", event), byBackup(event), source("live", event))
    }
    assert.deepStrictEqual(resultOf(folded(all)), undisturbed)
  })

  it("loses no facts if a switch comes after the next facts of the main feed", () => {
    const cut = cuts["in a round"]
    const like = events[cut] ?? assert.fail("no place")
    const all = [...events.slice(0, cut + 3), source("live_backup", like), ...events.slice(cut + 3, cut + 6), source("live", like)]
    assert.deepStrictEqual(resultOf(folded([...all, ...events.slice(cut + 6)])), undisturbed)
  })

  it("corrects the score of unreported rounds with its next facts", () => {
    const [created] = events
    if (created === undefined) return assert.fail("no match")
    const script = new Script().begin().wonBy(red, 1).live(2)
    const state = folded([...script.events, source("live_backup", last(script.events)), source("live", last(script.events))])
    const later = new Script().begin().wonBy(red, 1).live(2).wait(200_000).live(6)
    later.add("RoundEnded", { mapNumber: 1, round: 6, winner: "T", winType: "elimination", score: { ct: 2, t: 4 } })
    const repaired = foldAll(state, later.events.slice(script.events.length))
    assert.deepStrictEqual(repaired === undefined ? undefined : currentMap(repaired)?.score, [2, 4])
    assert.strictEqual(currentMap(repaired ?? state)?.rounds.at(-1)?.winnerTeam, ctOf(6) === red ? 1 : 0)
    assert.strictEqual(state.teams[1].id, blue)
  })
})
