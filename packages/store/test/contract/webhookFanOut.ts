import { assert, type Vitest } from "@effect/vitest"
import { Effect } from "effect"
import { WebhookEvents } from "../../src/webhooks/WebhookEvents.ts"
import { WebhookSubscriptions } from "../../src/webhooks/WebhookSubscriptions.ts"
import { claim, eventOf, newAccount, newMatch, type Stores, start, subscribe } from "./webhookSamples.ts"

/** Subscribes 7 webhooks to every event, and one to a filter that no event matches. Returns the ids of the 7. */
const sevenWebhooks = Effect.gen(function* () {
  const accountId = yield* newAccount
  yield* subscribe(accountId, { games: ["chess"] })
  const ids = yield* Effect.forEach(Array.from({ length: 7 }), () => subscribe(accountId))
  return { accountId, ids: ids.sort() }
})

/** Returns the events that each webhook receives for a match, in order. */
const received = Effect.fnUntraced(function* (lane: string) {
  const claims = [...(yield* claim(lane))].sort((a, b) => (a.subscriptionId < b.subscriptionId ? -1 : 1))
  return claims.map(({ deliveries, subscriptionId }) => [subscriptionId, deliveries.map(({ eventId }) => eventId)] as const)
})

export const webhookFanOutContract = (it: Vitest.MethodsNonLive<Stores>) => {
  for (const atOnce of [1, 3, 7, 8, 100]) {
    it.effect(`queues every delivery once and in order with ${atOnce} per statement`, () =>
      Effect.gen(function* () {
        yield* start
        const events = yield* WebhookEvents
        const { ids } = yield* sevenWebhooks
        const lane = newMatch()
        const unwanted = eventOf(lane, 3, { name: "go.pass", eventId: `evt_${lane}.1.3.go.pass` })
        // The list has an event twice, as after a restart of a match whose events still wait.
        const rows = [eventOf(lane, 1), eventOf(lane, 2), eventOf(lane, 1), unwanted, eventOf(lane, 4)]
        const writeAll = Effect.gen(function* () {
          let [rest, queued] = [rows, 0]
          while (rest.length > 0) {
            const part = yield* events.writeSome(rest, atOnce)
            assert.isAtMost(part.deliveries, atOnce)
            assert.isAbove(part.deliveries + part.events, 0)
            rest = rest.slice(part.events)
            queued += part.deliveries
          }
          return queued
        })
        assert.strictEqual(yield* writeAll, 21)
        assert.strictEqual(yield* writeAll, 0)
        const wanted = [rows[0], rows[1], rows[4]].map((row) => row?.eventId)
        assert.deepStrictEqual(
          yield* received(lane),
          ids.map((id) => [id, wanted] as const),
        )
      }),
    )
  }

  it.effect("continues an event whose writer has died", () =>
    Effect.gen(function* () {
      yield* start
      const [events, subscriptions] = [yield* WebhookEvents, yield* WebhookSubscriptions]
      const { accountId, ids } = yield* sevenWebhooks
      const lane = newMatch()
      assert.deepStrictEqual(yield* events.writeSome([eventOf(lane, 1)], 3), { events: 0, deliveries: 3 })
      // A webhook that has received the event, and one that no longer wants it.
      yield* subscriptions.pause(accountId, ids[0] ?? "")
      yield* subscriptions.pause(accountId, ids[6] ?? "")
      assert.strictEqual(yield* events.write([eventOf(lane, 1), eventOf(lane, 2)]), 8)
      yield* subscriptions.activate(accountId, ids[0] ?? "")
      const counts = (yield* received(lane)).map(([id, own]) => [id, own.length])
      assert.deepStrictEqual(
        counts,
        ids.slice(0, 6).map((id, place) => [id, place === 0 ? 1 : 2]),
      )
    }),
  )

  it.effect("lets several writers store the same events at once", () =>
    Effect.gen(function* () {
      yield* start
      const events = yield* WebhookEvents
      const { ids } = yield* sevenWebhooks
      const lane = newMatch()
      const rows = Array.from({ length: 9 }, (_, seq) => eventOf(lane, seq))
      const writer = Effect.fnUntraced(function* (atOnce: number) {
        let [rest, queued] = [rows, 0]
        while (rest.length > 0) {
          const part = yield* events.writeSome(rest, atOnce)
          rest = rest.slice(part.events)
          queued += part.deliveries
        }
        return queued
      })
      const queued = yield* Effect.forEach([2, 3, 5], writer, { concurrency: 3 })
      assert.strictEqual(
        queued.reduce((sum, one) => sum + one, 0),
        9 * 7,
      )
      for (const [id, own] of yield* received(lane)) {
        assert.include(ids, id)
        assert.deepStrictEqual(
          own,
          rows.map(({ eventId }) => eventId),
        )
      }
    }),
  )
}
