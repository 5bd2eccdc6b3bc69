/**
 * Compares the webhook events of every recorded match with what customers of the live channels receive: event rows of
 * the frames, and the final document.
 */
import { assert, describe, it } from "@effect/vitest"
import { readRecord } from "@matchpoint/contracts/stream/record"
import type { WebhookEvent } from "@matchpoint/contracts/webhook/webhookEvents"
import type { LiveEvent } from "@matchpoint/cs2/contract/LiveEvent"
import { type Cs2EventData, cs2WebhookEvents } from "@matchpoint/cs2/contract/webhookEvents"
import { cs2LiveGame } from "@matchpoint/cs2/live/cs2LiveGame"
import { projectMatch } from "@matchpoint/cs2/live/projectMatch"
import { fold } from "@matchpoint/cs2/rules/live/fold"
import type { MatchState } from "@matchpoint/cs2/rules/live/state"
import { Schema } from "effect"
import { inject } from "vitest"
import { type Played, played } from "./recordings.ts"

const matches = played(inject("dataDirectory"))

const decoders = new Map(
  Object.entries(cs2WebhookEvents).flatMap(([name, { data, generic }]) => {
    const decode = Schema.decodeUnknownSync(data as Schema.Codec<unknown>, { onExcessProperty: "error" })
    return [name, ...(generic === null ? [] : [generic])].map((one) => [one, decode] as const)
  }),
)

/** Plays a recording as the owner of the match does. Returns its webhook events, event rows and last state. */
const announced = ({ events }: Played) => {
  const encoder = cs2LiveGame.encoder()
  const webhooks: Array<WebhookEvent> = []
  const rows: Array<LiveEvent> = []
  let state: MatchState | undefined
  for (const event of events) {
    const step = fold(state, event)
    if (step._tag === "Rejected") continue
    const change = { before: state, after: step.state, event, repaired: step.repaired }
    const derived = cs2LiveGame.webhookEvents?.(change) ?? []
    assert.strictEqual(new Set(derived.map(({ name }) => name)).size, derived.length)
    webhooks.push(...derived)
    const row = readRecord(encoder.encode(state, step.state, event))?.internals["event"] as LiveEvent | null | undefined
    if (row !== null && row !== undefined) rows.push(row)
    state = step.state
  }
  return { webhooks, rows, state: state ?? assert.fail("no event was accepted") }
}

type ScoreData = Cs2EventData<"cs2.score.updated">

describe("webhook events of recorded matches", () => {
  it.each(matches.map((match) => [`${match.format}: ${match.name}`, match] as const))("%s", (_, match) => {
    const { rows, state, webhooks } = announced(match)
    const count = (event: string) => webhooks.filter((one) => one.name === event).length
    const rowsOf = (type: string) => rows.filter(({ eventType }) => eventType === type)
    const document = projectMatch(state)

    for (const { data, name: event } of webhooks) assert.deepStrictEqual(decoders.get(event)?.(data), data, event)

    const found = {
      kills: count("cs2.player.kill"),
      rounds: count("cs2.round.ended"),
      mapsEnded: count("cs2.map.ended"),
      started: count("cs2.match.started"),
      ended: count("cs2.match.ended"),
      cancelled: count("cs2.match.cancelled"),
    }
    assert.deepStrictEqual(found, {
      kills: rowsOf("Kill").length,
      rounds: rowsOf("RoundEnd").length,
      mapsEnded: document.maps.filter(({ status }) => status === "completed").length,
      started: document.startedAt === null ? 0 : 1,
      ended: document.status === "completed" ? 1 : 0,
      cancelled: document.status === "cancelled" ? 1 : 0,
    })
    const pairs = Object.entries(cs2WebhookEvents).flatMap(([one, { generic }]) => (generic === null ? [] : [[one, generic] as const]))
    for (const [one, generic] of pairs) assert.strictEqual(count(one), count(generic), one)
    assert.strictEqual(count("cs2.match.live_started"), rowsOf("Kill").length + rowsOf("RoundEnd").length > 0 ? 1 : 0)

    for (const { number, rounds } of state.maps) {
      if (rows.some(({ eventType, mapNumber }) => eventType === "MapRestart" && mapNumber === number)) continue
      const ended = webhooks.filter(({ data, name }) => name === "round.ended" && data["mapNumber"] === number)
      assert.deepStrictEqual(
        ended.map(({ data }) => data["round"]),
        rounds.map(({ round }) => round),
        `rounds of map ${number}`,
      )
    }

    // Every map that was ever shown has started. A restart with another map starts it again.
    const replacements = rowsOf("MapRestart").length
    assert.isAtLeast(count("cs2.map.started"), document.maps.length)
    assert.isAtMost(count("cs2.map.started"), document.maps.length + replacements)

    const last = webhooks.findLast((one) => one.name === "cs2.score.updated" || one.name === "cs2.map.started")?.data as
      | ScoreData
      | undefined
    const [one, two] = document.teams
    assert.deepStrictEqual(
      [last?.team1Score ?? 0, last?.team2Score ?? 0, last?.seriesScore ?? { team1: 0, team2: 0 }],
      [one.mapScore, two.mapScore, document.seriesScore],
      "the newest score is that of the final document",
    )
  })

  if (inject("dataDirectory") === null) it.skip("of the data folder: set MATCHPOINT_DATA to its folder")
})
