/** Tests that the outbox makes progress with a database that completes only small writes in time. */
import { assert, describe, it } from "@effect/vitest"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { streams } from "@matchpoint/contracts/bus/subjects"
import { encodeFeedEvent } from "@matchpoint/cs2/contract/feed"
import { cs2LiveGame } from "@matchpoint/cs2/live/cs2LiveGame"
import { matchId } from "@matchpoint/cs2/rules/ids"
import type { MatchState } from "@matchpoint/cs2/rules/live/state"
import type { MatchChange } from "@matchpoint/game/live/LiveGame"
import { MatchConfig } from "@matchpoint/game/live/MatchConfig"
import { StoreError } from "@matchpoint/store/StoreError"
import { type NewWebhookEvent, WebhookEvents } from "@matchpoint/store/webhooks/WebhookEvents"
import { Cause, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { foldRecord } from "../../src/actor/foldRecord.ts"
import { eventRows } from "../../src/webhooks/MatchOutbox.ts"
import { WebhookOutbox } from "../../src/webhooks/WebhookOutbox.ts"
import { simulatedEvents } from "../simulated.ts"
import { appendFacts, services } from "../supervised.ts"

const id = matchId(601)

const facts = simulatedEvents(61, id)

/** The changes of the match, one per accepted fact, with the sequence number of the fact in FEED. */
const changes = (() => {
  let state: MatchState | undefined
  return facts.flatMap((event, index): ReadonlyArray<{ readonly change: MatchChange; readonly sequence: number }> => {
    const step = foldRecord(cs2LiveGame, id, state, { data: encodeFeedEvent(event), appendedAt: event.receivedAt })
    if (step._tag === "Rejected") return []
    const change = { before: state, after: step.state, event, repaired: step.repaired }
    state = step.state
    return [{ change, sequence: index + 1 }]
  })
})()

const rowsOf = (some: typeof changes) =>
  some.flatMap(({ change }) =>
    eventRows(cs2LiveGame, change, (_, defect) => {
      throw defect
    }),
  )

const STATEMENT_TIMEOUT_MS = 10_000

/**
 * A database in which `webhooks` webhooks match every event. A statement takes the longer the more deliveries it queues, and
 * times out with more than `maxDeliveries`.
 */
class SlowDatabase {
  /** Number of queued deliveries by event, in the order in which the events were stored. */
  readonly queued = new Map<string, number>()
  statements = 0
  readonly #webhooks: number
  readonly #maxDeliveries: number

  constructor(webhooks: number, maxDeliveries: number) {
    this.#webhooks = webhooks
    this.#maxDeliveries = maxDeliveries
  }

  readonly #statement = (events: ReadonlyArray<NewWebhookEvent>, limit: number) =>
    Effect.suspend(() => {
      this.statements += 1
      const part: Array<readonly [eventId: string, deliveries: number]> = []
      let [left, done] = [limit, 0]
      for (const { eventId } of events) {
        const missing = this.#webhooks - (this.queued.get(eventId) ?? 0)
        const deliveries = Math.min(missing, left)
        if (deliveries > 0) part.push([eventId, deliveries])
        left -= deliveries
        if (deliveries < missing) break
        done += 1
      }
      const total = part.reduce((sum, [, deliveries]) => sum + deliveries, 0)
      if (total > this.#maxDeliveries) {
        const cause = new Cause.TimeoutError("the statement took too long")
        return Effect.andThen(Effect.sleep(STATEMENT_TIMEOUT_MS), Effect.fail(new StoreError({ operation: "test", cause })))
      }
      for (const [eventId, deliveries] of part) this.queued.set(eventId, (this.queued.get(eventId) ?? 0) + deliveries)
      return Effect.as(Effect.sleep((STATEMENT_TIMEOUT_MS * total) / this.#maxDeliveries), { events: done, deliveries: total })
    })

  readonly #events = Layer.mock(WebhookEvents, {
    writeSome: (events, maxDeliveries) => this.#statement(events, maxDeliveries),
  })

  /**
   * Runs changes through an outbox that keeps at most `inMemory` events, and checks that all events are stored in order
   * within an hour.
   */
  readonly run = Effect.fnUntraced(function* (this: SlowDatabase, inMemory: number, some: typeof changes) {
    const { queued } = this
    const webhooks = this.#webhooks
    yield* appendFacts(facts.slice(0, some.at(-1)?.sequence))
    const settings = Layer.effect(
      MatchConfig,
      Effect.map(MatchConfig, (own) => ({ ...own, webhookEventsInMemory: inMemory })),
    )
    const process = WebhookOutbox.layer.pipe(Layer.provide(this.#events), Layer.provide(settings), Layer.provideMerge(services({})))
    return yield* Effect.gen(function* () {
      const outbox = (yield* WebhookOutbox).open(cs2LiveGame, id)
      assert(outbox !== undefined)
      for (const { change, sequence } of some) outbox.add(change, sequence)
      const flush = yield* Effect.forkChild(outbox.flush)
      for (let seconds = 0; seconds < 3_600 && flush.pollUnsafe() === undefined; seconds += 1) yield* TestClock.adjust("1 second")
      yield* flush.pollUnsafe() ?? Effect.die(`only ${queued.size} events are stored after an hour`)
      assert.deepStrictEqual(
        [...queued],
        rowsOf(some).map(({ eventId }) => [eventId, webhooks]),
      )
    }).pipe(Effect.provide(process))
  })
}

describe("the webhook outbox with a slow database", () => {
  for (const [inMemory, what] of [
    [10_000, "from memory"],
    [20, "when it derives them again"],
  ] as const) {
    it.effect(`writes fewer events at once after a timeout, ${what}`, () =>
      Effect.gen(function* () {
        const database = new SlowDatabase(400, 5_000)
        yield* database.run(inMemory, changes)
        // A statement of half the maximum is too slow to be followed by a larger one.
        assert.isBelow(database.statements, 10 + (4 * 400 * rowsOf(changes).length) / 5_000)
      }).pipe(Effect.provide(EventLogMemory.layer({ streams }))),
    )

    it.effect(`writes an event in parts if it alone times out, ${what}`, () =>
      new SlowDatabase(5_000, 1_000).run(inMemory, changes.slice(0, 40)).pipe(Effect.provide(EventLogMemory.layer({ streams }))),
    )
  }
})
