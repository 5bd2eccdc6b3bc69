import { assert, describe, it } from "@effect/vitest"
import { applyPatch, type JsonObject } from "@matchpoint/contracts/stream/compact/mergePatch"
import { readRecord } from "@matchpoint/contracts/stream/record"
import { matchIdOf } from "@matchpoint/domain/ids"
import { Schema } from "effect"
import { apexLive } from "../../src/contract/apexLive.ts"
import { CompactApexMatch } from "../../src/contract/CompactApexMatch.ts"
import { LiveApexEvent, LiveApexMatch } from "../../src/contract/LiveApexMatch.ts"
import { type ApexEventName, apexWebhookEvents } from "../../src/contract/webhookEvents.ts"
import { apexLiveGame } from "../../src/live/apexLiveGame.ts"
import { documentOf } from "../../src/live/documentOf.ts"
import { webhookEvents } from "../../src/live/webhookEvents.ts"
import { APEX } from "../../src/rules/game.ts"
import type { FeedEvent } from "../../src/rules/live/feedEvents.ts"
import { fold } from "../../src/rules/live/fold.ts"
import type { LobbyState } from "../../src/rules/live/state.ts"
import { simulateLobby } from "../../src/simulator/live/simulateLobby.ts"
import { toFeedEvent } from "../../src/simulator/live/timedFact.ts"
import { scheduledLobby } from "../../src/simulator/live/world.ts"

interface Change {
  readonly before: LobbyState | undefined
  readonly after: LobbyState
  readonly event: FeedEvent
}

/** The changes of a simulated lobby of 20 teams until the end of its first game. */
const changes = ((): ReadonlyArray<Change> => {
  const found: Array<Change> = []
  let before: LobbyState | undefined
  for (const fact of simulateLobby({ ...scheduledLobby(1, 1, 2026), matchId: matchIdOf(APEX, 1001) })) {
    const at = Date.UTC(2026, 5, 1, 12) + fact.offsetMs
    const event = toFeedEvent(fact, { observedAt: at, receivedAt: at })
    const step = fold(before, event)
    if (step._tag === "Rejected") throw new Error(step.rejection.message)
    found.push({ before, after: step.state, event })
    before = step.state
    if (event.type === "GameEnded") break
  }
  return found
})()

const strict = { onExcessProperty: "error" } as const

describe("documents of a lobby", () => {
  it("follow from the deltas, in the same order of keys", () => {
    const encoder = apexLiveGame.encoder()
    let document: JsonObject = {}
    for (const { after, before, event } of changes) {
      const delta = readRecord(encoder.encode(before, after, event))?.delta
      document = applyPatch(document, delta?.patch ?? {}, apexLive.layout)
      for (const row of delta?.events ?? []) Schema.decodeUnknownSync(LiveApexEvent, strict)(row)
    }
    const last = changes.at(-1)?.after
    if (last === undefined) return assert.fail("no lobby")
    assert.strictEqual(JSON.stringify(document), JSON.stringify(documentOf(last)))
  })

  it("conform to the schemas in both formats", () => {
    for (const { after } of changes.filter((_, index) => index % 20 === 0)) {
      const document = documentOf(after)
      Schema.decodeUnknownSync(CompactApexMatch, strict)(document)
      const full = apexLive.fullOf({ document, extras: {}, observedAt: new Date(after.observedAt).toISOString() })
      Schema.decodeUnknownSync(LiveApexMatch, strict)(full)
      assert.lengthOf(full.standings, 20)
      assert.deepStrictEqual(
        full.standings.map(({ rank }) => rank),
        full.standings.map(({ rank }) => rank).toSorted((one, other) => one - other),
      )
    }
  })

  it("change by few bytes with a kill", () => {
    const encoder = apexLiveGame.encoder()
    const sizes = changes.flatMap(({ after, before, event }) => {
      const patch = readRecord(encoder.encode(before, after, event))?.delta.patch
      return event.type === "PlayerKilled" ? [JSON.stringify(patch).length] : []
    })
    assert.isBelow(sizes.reduce((sum, size) => sum + size, 0) / sizes.length, 400)
  })
})

describe("webhook events of a lobby", () => {
  const events = changes.map((change) => webhookEvents({ ...change, repaired: undefined }))
  const countOf = (name: string) => events.flat().filter((event) => event.name === name).length
  const deaths = changes.filter(({ event }) => event.type === "PlayerKilled").length

  it("report the start, every death, every team and the end of the game", () => {
    assert.strictEqual(countOf("match.started"), 1)
    assert.strictEqual(countOf("player.elimination"), deaths)
    assert.isAtMost(countOf("player.kill"), deaths)
    assert.strictEqual(countOf("apex.team.eliminated"), 19)
    assert.strictEqual(countOf("match.updated"), 1)
  })

  it("have data of their schema, and each name at most once per change", () => {
    for (const list of events) {
      assert.strictEqual(new Set(list.map(({ name }) => name)).size, list.length)
      for (const { data, name } of list) {
        if (name in apexWebhookEvents)
          Schema.decodeUnknownSync(apexWebhookEvents[name as ApexEventName].data as Schema.Decoder<unknown>, strict)(data)
      }
    }
  })

  it("name the players that a death concerns", () => {
    const kill = events.flat().find(({ name }) => name === "player.kill")
    assert.isAtLeast(kill?.playerIds.length ?? 0, 2)
    assert.strictEqual(kill?.teamIds.length, 2)
  })
})
