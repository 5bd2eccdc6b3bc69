/** Tests what customers receive about every change of simulated Call of Duty matches, against the schemas of the contract. */
import { assert, describe, it } from "@effect/vitest"
import { CompactCodMatch } from "@matchpoint/cod/contract/CompactCodMatch"
import { codLive, LiveCodRow } from "@matchpoint/cod/contract/codLive"
import { LiveCodEvent, LiveCodMatch } from "@matchpoint/cod/contract/LiveCodMatch"
import { codWebhookEvents } from "@matchpoint/cod/contract/webhookEvents"
import { codLiveGame } from "@matchpoint/cod/live/codLiveGame"
import { documentOf } from "@matchpoint/cod/live/documentOf"
import { PlayerId } from "@matchpoint/cod/rules/live/registry"
import { CodResult } from "@matchpoint/cod/rules/live/result"
import type { LiveState } from "@matchpoint/contracts/game/LiveContract"
import { readRecord } from "@matchpoint/contracts/stream/record"
import { stateAfter } from "@matchpoint/contracts/stream/stateAfter"
import { factId } from "@matchpoint/domain/ids"
import { Schema } from "effect"
import { type Change, changesOf, codMatch, simulatedCodEvents } from "./simulated.ts"

const id = codMatch(1)
const exact = { onExcessProperty: "error" } as const
const decodeCompact = Schema.decodeUnknownSync(CompactCodMatch, exact)
const decodeFull = Schema.decodeUnknownSync(LiveCodMatch, exact)
const decodeRow = Schema.decodeUnknownSync(LiveCodRow, exact)
const decodeEvent = Schema.decodeUnknownSync(LiveCodEvent, exact)

const whole = changesOf(simulatedCodEvents(1, id, { bestOf: 3 }))

/** The first map of a match, and then every other event. */
const eventful = ((): ReadonlyArray<Change> => {
  const events = simulatedCodEvents(1, id)
  const end = events.findIndex(({ type }) => type === "RoundEnded") + 1
  const at = events[end - 1]?.observedAt ?? 0
  const own = { matchId: id, source: "main", observedAt: at, receivedAt: at } as const
  const created = events[0]
  const out = created?.type === "MatchCreated" ? (created.payload.teams[0].players[0]?.id ?? "a") : "a"
  return changesOf([
    ...events.slice(0, end),
    {
      ...own,
      id: factId("sub"),
      type: "PlayerSubstituted",
      payload: { side: 0, out: PlayerId.make(out), in: { id: PlayerId.make("sub"), ign: "Sub" } },
    },
    { ...own, id: factId("pause"), type: "Suspended", payload: { reason: "timeout", side: 1 } },
    { ...own, id: factId("go"), type: "Resumed", payload: {} },
    { ...own, id: factId("silent"), type: "FeedSilent", payload: { status: "stale", lastReportAt: at, basedOn: end + 3 } },
    {
      ...own,
      id: factId("corrected"),
      type: "ScoreCorrected",
      payload: {
        maps: [
          [250, 90],
          [3, 2],
        ],
      },
    },
    { ...own, id: factId("again"), type: "MapReplayed", payload: { map: 2 } },
    { ...own, id: factId("lost"), type: "HistoryLost", payload: { epoch: 2 } },
    { ...own, id: factId("forfeit"), type: "Forfeited", payload: { side: 0 } },
  ])
})()

describe("documents of Call of Duty matches", () => {
  it("fit the contract, in both formats, and follow from the records", () => {
    for (const changes of [whole, eventful]) {
      const encoder = codLiveGame.encoder()
      let live: LiveState<CompactCodMatch> | undefined
      for (const [index, { after, before, event }] of changes.entries()) {
        const record = readRecord(encoder.encode(before, after, event)) ?? assert.fail("not a record")
        live = stateAfter(codLive, live, record) as LiveState<CompactCodMatch> | undefined
        if (live === undefined) return assert.fail("the record does not continue the match")
        const document = documentOf(after)
        // Equal text: the patches give the same document with its keys in the same order.
        assert.strictEqual(JSON.stringify(live.document), JSON.stringify(document))
        for (const row of record.delta.events) decodeEvent(row)
        // Decoding is slow, so long maps are checked at intervals.
        if (index % 25 !== 0 && event.type !== "RoundEnded" && changes === whole) continue
        decodeCompact(document)
        const full = codLive.fullOf(live)
        decodeFull(full)
        assert.deepStrictEqual(Object.keys(full), Object.keys(LiveCodMatch.fields))
        decodeRow(codLive.rowOf(live))
      }
    }
  })

  it("take less than 1,000 bytes per change, keyframes included", () => {
    const encoder = codLiveGame.encoder()
    const bytes = whole.reduce((sum, { after, before, event }) => sum + encoder.encode(before, after, event).length, 0)
    assert.isBelow(bytes / whole.length, 1_000)
  })

  it("have a result that can be stored and read back", () => {
    const decode = Schema.decodeUnknownSync(CodResult, exact)
    for (const changes of [whole, eventful]) {
      const state = (changes.at(-1) ?? assert.fail("no change")).after
      const stored: unknown = JSON.parse(JSON.stringify(codLiveGame.resultOf(state)))
      assert.strictEqual(decode(stored).winner, state.winner)
    }
  })
})

describe("webhook events of Call of Duty matches", () => {
  const eventsOf = (changes: ReadonlyArray<Change>) =>
    changes.flatMap((change) => codLiveGame.webhookEvents?.({ ...change, repaired: undefined }) ?? [])

  it("fit the contract", () => {
    const decoders = new Map<string, (data: unknown) => unknown>(
      Object.entries(codWebhookEvents).flatMap(([name, { data, generic }]) => {
        const decode = Schema.decodeUnknownSync(data as Schema.Decoder<unknown>, exact)
        return generic === null ? [[name, decode] as const] : [[name, decode] as const, [generic, decode] as const]
      }),
    )
    const seen = new Map<string, number>()
    for (const { data, name, teamIds } of [...eventful, ...whole].map((change) => [change]).flatMap(eventsOf)) {
      const count = (seen.get(name) ?? 0) + 1
      seen.set(name, count)
      if (count > 40) continue
      const decode = decoders.get(name) ?? assert.fail(`unknown event ${name}`)
      decode(JSON.parse(JSON.stringify(data)))
      assert.lengthOf(teamIds, 2)
    }
    const all = [...decoders.keys()].filter((name) => name !== "cod.match.cancelled")
    assert.deepStrictEqual([...seen.keys()].sort(), all.sort())
  })

  it("report start, end, maps, rounds and kills once", () => {
    const last = (whole.at(-1) ?? assert.fail("no change")).after
    const names = eventsOf(whole).map(({ name }) => name)
    const count = (wanted: string) => names.filter((name) => name === wanted).length
    const facts = (wanted: string) => whole.filter(({ event }) => event.type === wanted).length
    assert.deepStrictEqual([count("match.started"), count("match.ended")], [1, 1])
    assert.strictEqual(count("match.updated"), last.mapsWon[0] + last.mapsWon[1])
    assert.strictEqual(count("round.ended"), facts("RoundEnded"))
    assert.strictEqual(count("player.kill"), facts("PlayerKilled"))
    assert.deepStrictEqual([names[0], names.at(-1)], ["cod.match.started", "match.ended"])
  })
})
