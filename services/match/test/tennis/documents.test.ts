/** Tests what customers receive about every change of simulated tennis matches, against the schemas of the contract. */
import { assert, describe, it } from "@effect/vitest"
import type { LiveState } from "@matchpoint/contracts/game/LiveContract"
import { readRecord } from "@matchpoint/contracts/stream/record"
import { stateAfter } from "@matchpoint/contracts/stream/stateAfter"
import { factId } from "@matchpoint/domain/ids"
import { CompactTennisMatch } from "@matchpoint/tennis/contract/CompactTennisMatch"
import { LiveTennisEvent, LiveTennisMatch } from "@matchpoint/tennis/contract/LiveTennisMatch"
import { LiveTennisRow, tennisLive } from "@matchpoint/tennis/contract/tennisLive"
import { tennisWebhookEvents } from "@matchpoint/tennis/contract/webhookEvents"
import { documentOf } from "@matchpoint/tennis/live/documentOf"
import { tennisLiveGame } from "@matchpoint/tennis/live/tennisLiveGame"
import { TennisResult } from "@matchpoint/tennis/rules/live/result"
import { Schema } from "effect"
import { type Change, changesOf, simulatedTennisEvents, tennisMatch } from "./simulated.ts"

const id = tennisMatch(1)
const exact = { onExcessProperty: "error" } as const
const decodeCompact = Schema.decodeUnknownSync(CompactTennisMatch, exact)
const decodeFull = Schema.decodeUnknownSync(LiveTennisMatch, exact)
const decodeRow = Schema.decodeUnknownSync(LiveTennisRow, exact)
const decodeEvent = Schema.decodeUnknownSync(LiveTennisEvent, exact)

/** Singles, best of five, doubles, and every other event of a match. */
const matches = [1, 2, 5, 7, 8, 13].map((n) => changesOf(simulatedTennisEvents(n, id)))
const eventful = (): ReadonlyArray<Change> => {
  const events = simulatedTennisEvents(5, id)
  const at = events[60]?.observedAt ?? 0
  const own = { matchId: id, source: "main", observedAt: at, receivedAt: at } as const
  return changesOf([
    ...events.slice(0, 61),
    { ...own, id: factId("rain"), type: "Suspended", payload: { reason: "rain" } },
    { ...own, id: factId("sun"), type: "Resumed", payload: {} },
    { ...own, id: factId("silent"), type: "FeedSilent", payload: { status: "stale", lastReportAt: at, basedOn: 63 } },
    {
      ...own,
      id: factId("corrected"),
      type: "ScoreCorrected",
      payload: {
        sets: [
          { games: [7, 6], tieBreak: [7, 5] },
          { games: [2, 1], tieBreak: null },
        ],
        points: [1, 2],
        firstServer: 1,
      },
    },
    { ...own, id: factId("lost"), type: "HistoryLost", payload: { epoch: 2 } },
    { ...own, id: factId("retired"), type: "Retired", payload: { side: 0 } },
  ])
}

describe("documents of tennis matches", () => {
  it("fit the contract, in both formats, and follow from the records", () => {
    for (const changes of [...matches, eventful()]) {
      const encoder = tennisLiveGame.encoder()
      let live: LiveState<CompactTennisMatch> | undefined
      for (const { after, before, event } of changes) {
        const record = readRecord(encoder.encode(before, after, event)) ?? assert.fail("not a record")
        live = stateAfter(tennisLive, live, record) as LiveState<CompactTennisMatch> | undefined
        if (live === undefined) return assert.fail("the record does not continue the match")
        const document = documentOf(after)
        // Equal text: the patches give the same document with its keys in the same order.
        assert.strictEqual(JSON.stringify(live.document), JSON.stringify(document))
        decodeCompact(document)
        const full = tennisLive.fullOf(live)
        decodeFull(full)
        assert.deepStrictEqual(Object.keys(full), Object.keys(LiveTennisMatch.fields))
        decodeRow(tennisLive.rowOf(live))
        for (const row of record.delta.events) decodeEvent(row)
      }
    }
  })

  it("have the keys of the layout in its order", () => {
    for (const { after } of [...(matches[2] ?? []), ...eventful()]) {
      const keys = Object.keys(documentOf(after))
      assert.deepStrictEqual(
        keys,
        (tennisLive.layout.keys ?? []).filter((key) => keys.includes(key)),
      )
    }
  })

  it("take less than 900 bytes per change, keyframes included", () => {
    for (const changes of matches) {
      const encoder = tennisLiveGame.encoder()
      const bytes = changes.reduce((sum, { after, before, event }) => sum + encoder.encode(before, after, event).length, 0)
      assert.isBelow(bytes / changes.length, 900)
    }
  })

  it("name points, server and stakes as a scoreboard does", () => {
    const changes = matches[0] ?? []
    const games = changes.flatMap(({ after }) => documentOf(after).game ?? [])
    const points = new Set(games.filter((game) => !game.is_tie_break).flatMap((game) => [game.points.side1, game.points.side2]))
    assert.deepStrictEqual([...points].sort(), ["0", "15", "30", "40", "AD"])
    for (const { after } of changes) {
      const { game } = documentOf(after)
      if (game?.points.side1 === "AD") assert.strictEqual(game.points.side2, "40")
    }
    const last = documentOf((changes.at(-1) ?? assert.fail("no change")).after)
    assert.deepInclude(last, { status: "completed", end_reason: "completed", score: "6-3 7-5", winner: 1 })
    assert.notProperty(last, "game")
  })

  it("have a result that can be stored and read back", () => {
    const encode = Schema.decodeUnknownSync(TennisResult, exact)
    for (const changes of [...matches, eventful()]) {
      const state = (changes.at(-1) ?? assert.fail("no change")).after
      const stored: unknown = JSON.parse(JSON.stringify(tennisLiveGame.resultOf(state)))
      assert.strictEqual(encode(stored).winner, state.winner)
    }
  })
})

describe("webhook events of tennis matches", () => {
  const eventsOf = (changes: ReadonlyArray<Change>) =>
    changes.flatMap((change) => tennisLiveGame.webhookEvents?.({ ...change, repaired: undefined }) ?? [])

  it("fit the contract", () => {
    const decoders = new Map<string, (data: unknown) => unknown>(
      Object.entries(tennisWebhookEvents).flatMap(([name, { data, generic }]) => {
        const decode = Schema.decodeUnknownSync(data as Schema.Decoder<unknown>, exact)
        return generic === null ? [[name, decode] as const] : [[name, decode] as const, [generic, decode] as const]
      }),
    )
    const seen = new Set<string>()
    for (const { data, name, playerIds } of [...matches, eventful()].flatMap(eventsOf)) {
      const decode = decoders.get(name) ?? assert.fail(`unknown event ${name}`)
      decode(JSON.parse(JSON.stringify(data)))
      assert.isTrue(playerIds.length === 2 || playerIds.length === 4)
      seen.add(name)
    }
    const all = [...decoders.keys()].filter((name) => name !== "tennis.match.cancelled")
    assert.deepStrictEqual([...seen].sort(), all.sort())
  })

  it("report the start and the end once, and every game and set once", () => {
    const changes = matches[0] ?? []
    const { sets } = (changes.at(-1) ?? assert.fail("no change")).after
    const names = eventsOf(changes).map(({ name }) => name)
    const count = (wanted: string) => names.filter((name) => name === wanted).length
    assert.deepStrictEqual([count("match.started"), count("match.ended"), count("tennis.set.ended")], [1, 1, sets.length])
    assert.strictEqual(
      count("match.updated"),
      sets.reduce((sum, { games: [one, two] }) => sum + one + two, 0),
    )
    assert.strictEqual(names[0], "tennis.match.started")
    assert.strictEqual(names.at(-1), "match.ended")
  })

  it("report a cancelled match", () => {
    const events = simulatedTennisEvents(1, id).slice(0, 10)
    const at = events.at(-1)?.observedAt ?? 0
    const cancelled = {
      id: factId("x"),
      matchId: id,
      source: "main",
      observedAt: at,
      receivedAt: at,
      type: "Cancelled",
      payload: {},
    } as const
    assert.strictEqual(eventsOf(changesOf([...events, cancelled])).at(-1)?.name, "tennis.match.cancelled")
  })
})
