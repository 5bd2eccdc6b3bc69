/**
 * Tests that every webhook event of a match reaches the database in order, whatever fails on the way, and that the match
 * does not wait for it.
 */
import { assert, describe, it } from "@effect/vitest"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { streams } from "@matchpoint/contracts/bus/subjects"
import { encodeFeedEvent } from "@matchpoint/cs2/contract/feed"
import { cs2LiveGame } from "@matchpoint/cs2/live/cs2LiveGame"
import { matchId } from "@matchpoint/cs2/rules/ids"
import type { FeedEvent } from "@matchpoint/cs2/rules/live/feedEvents"
import type { MatchState } from "@matchpoint/cs2/rules/live/state"
import type { MatchId } from "@matchpoint/domain/ids"
import { MatchConfig } from "@matchpoint/game/live/MatchConfig"
import type { Checkpoint, Checkpoints } from "@matchpoint/store/live/Checkpoints"
import { StoreError } from "@matchpoint/store/StoreError"
import { type NewWebhookEvent, WebhookEvents } from "@matchpoint/store/webhooks/WebhookEvents"
import { Cause, Effect, Fiber, Layer, Option, Schema } from "effect"
import { foldRecord } from "../../src/actor/foldRecord.ts"
import { superviseMatch } from "../../src/MatchSupervisor.ts"
import { eventRows } from "../../src/webhooks/MatchOutbox.ts"
import { WebhookOutbox } from "../../src/webhooks/WebhookOutbox.ts"
import { simulatedEvents } from "../simulated.ts"
import { appendFacts, services, until, untilCursor } from "../supervised.ts"

/** Returns the events that a match must have, computed without an actor, and its last `seq`. */
const expectedOf = (id: MatchId, events: ReadonlyArray<FeedEvent>) => {
  let state: MatchState | undefined
  const rows: Array<NewWebhookEvent> = []
  for (const event of events) {
    const step = foldRecord(cs2LiveGame, id, state, { data: encodeFeedEvent(event), appendedAt: event.receivedAt })
    if (step._tag === "Rejected") continue
    rows.push(...eventRows(cs2LiveGame, { before: state, after: step.state, event, repaired: step.repaired }, failOnDefect))
    state = step.state
  }
  return { rows, seq: state?.seq ?? 0 }
}

/** A database for events and checkpoints that the test can make unavailable. */
class Database {
  readonly rows = new Map<string, NewWebhookEvent>()
  isAway = false
  /** Rejects events with this name because of their content. */
  rejects: string | undefined
  writes = 0
  checkpoint: Checkpoint | undefined

  readonly #orFail = <A>(work: () => A) =>
    Effect.suspend(() =>
      this.isAway
        ? Effect.fail(new StoreError({ operation: "test", cause: new Cause.TimeoutError("the database does not respond") }))
        : Effect.sync(work),
    )

  readonly checkpoints: Partial<Checkpoints["Service"]> = {
    load: () => this.#orFail(() => Option.fromUndefinedOr(this.checkpoint)),
    save: (checkpoint) =>
      this.#orFail(() => {
        this.checkpoint = checkpoint
        return true
      }),
  }

  readonly events = Layer.mock(WebhookEvents, {
    writeSome: (events) =>
      Effect.andThen(
        this.#orFail(() => {
          this.writes += 1
        }),
        events.some(({ name }) => name === this.rejects)
          ? Effect.mapError(invalid, (cause) => new StoreError({ operation: "test", cause }))
          : Effect.sync(() => {
              for (const event of events) if (!this.rows.has(event.eventId)) this.rows.set(event.eventId, event)
              return { events: events.length, deliveries: 0 }
            }),
      ),
  })

  /** Services of one process. */
  process(inMemory = 2_000) {
    const settings = Layer.effect(
      MatchConfig,
      Effect.map(MatchConfig, (own) => ({ ...own, webhookEventsInMemory: inMemory })),
    )
    const own = services({ checkpoints: this.checkpoints })
    return WebhookOutbox.layer.pipe(Layer.provide(this.events), Layer.provideMerge(settings), Layer.provideMerge(own))
  }
}

/** An error that the store considers permanent. */
const invalid = Effect.andThen(Schema.decodeUnknownEffect(Schema.String)(1), Effect.never)

const log = EventLogMemory.layer({ streams })

const stored = (database: Database) => [...database.rows.values()]

const failOnDefect = (_change: unknown, defect: unknown) => {
  throw defect
}

describe("the webhook outbox", () => {
  it.live("writes every event of a match once, in order", () =>
    Effect.gen(function* () {
      const [id, database] = [matchId(501), new Database()]
      const events = simulatedEvents(61, id)
      yield* appendFacts(events)
      yield* superviseMatch(cs2LiveGame, id).pipe(Effect.provide(database.process()))
      assert.deepStrictEqual(stored(database), expectedOf(id, events).rows)
    }).pipe(Effect.provide(log)),
  )

  it.live("derives the same events again after crashes at many points", () =>
    Effect.gen(function* () {
      const [id, database] = [matchId(502), new Database()]
      const events = simulatedEvents(62, id)
      const expected = expectedOf(id, events)
      for (let from = 0; from < events.length; from += 150) {
        yield* appendFacts(events.slice(from, from + 150))
        const before = database.checkpoint
        const actor = yield* superviseMatch(cs2LiveGame, id).pipe(Effect.provide(database.process()), Effect.forkChild)
        const reached = expectedOf(id, events.slice(0, from + 150)).seq
        yield* untilCursor(id, (_, seq) => seq >= reached)
        yield* Fiber.interrupt(actor)
        // A killed process saves no checkpoint at its end.
        database.checkpoint = before
      }
      yield* superviseMatch(cs2LiveGame, id).pipe(Effect.provide(database.process()))
      assert.deepStrictEqual(stored(database), expected.rows)
    }).pipe(Effect.provide(log)),
  )

  it.live("never saves a checkpoint with changes whose events are not stored", () =>
    Effect.gen(function* () {
      const [id, database] = [matchId(503), new Database()]
      const events = simulatedEvents(63, id)
      yield* appendFacts(events.slice(0, 300))
      const actor = yield* superviseMatch(cs2LiveGame, id).pipe(Effect.provide(database.process()), Effect.forkChild)
      yield* until(() => database.checkpoint !== undefined)
      const saved = database.checkpoint
      const expected = expectedOf(id, events.slice(0, 300)).rows.filter(({ seq }) => seq <= (saved?.seq ?? 0))
      const ids = new Set(database.rows.keys())
      for (const { eventId } of expected) assert.isTrue(ids.has(eventId), eventId)
      yield* Fiber.interrupt(actor)
    }).pipe(Effect.provide(log)),
  )

  for (const [inMemory, what] of [
    [2_000, "from memory"],
    [20, "from the checkpoint and FEED, because there are too many"],
  ] as const) {
    it.live(`publishes without delay while the database is away, and writes the events later ${what}`, () =>
      Effect.gen(function* () {
        const [id, database] = [matchId(510 + inMemory), new Database()]
        const events = simulatedEvents(64, id)
        const expected = expectedOf(id, events)
        yield* appendFacts(events.slice(0, 100))
        const actor = yield* superviseMatch(cs2LiveGame, id).pipe(Effect.provide(database.process(inMemory)), Effect.forkChild)
        yield* until(() => (database.checkpoint?.seq ?? 0) > 0)
        database.isAway = true
        yield* appendFacts(events.slice(100))
        yield* untilCursor(id, (_, seq) => seq === expected.seq)
        assert.isBelow(database.rows.size, expected.rows.length)
        database.isAway = false
        yield* Fiber.join(actor)
        assert.deepStrictEqual(stored(database), expected.rows)
      }).pipe(Effect.provide(log)),
    )
  }

  it.live("continues the match if a bug prevents the events of a change", () =>
    Effect.gen(function* () {
      const [id, database] = [matchId(531), new Database()]
      const events = simulatedEvents(67, id)
      const expected = expectedOf(id, events)
      const derive = cs2LiveGame.webhookEvents?.bind(cs2LiveGame)
      const game: typeof cs2LiveGame = {
        ...cs2LiveGame,
        webhookEvents: (change) => {
          if (change.event.type === "PlayerKilled") throw new Error("a bug")
          return derive?.(change) ?? []
        },
      }
      yield* appendFacts(events)
      yield* superviseMatch(game, id).pipe(Effect.provide(database.process()))
      yield* untilCursor(id, (_, seq) => seq === expected.seq)
      const killed = new Set(expected.rows.filter(({ name }) => name.endsWith("player.kill")).map(({ seq }) => seq))
      assert.deepStrictEqual(
        stored(database),
        expected.rows.filter(({ seq }) => !killed.has(seq)),
      )
    }).pipe(Effect.provide(log)),
  )

  it.live("drops only the events that the database rejects for their content", () =>
    Effect.gen(function* () {
      const [id, other, database] = [matchId(521), matchId(522), new Database()]
      const [events, others] = [simulatedEvents(65, id), simulatedEvents(66, other)]
      database.rejects = "cs2.match.live_started"
      yield* appendFacts([...events, ...others])
      const run = (match: MatchId) => superviseMatch(cs2LiveGame, match)
      yield* Effect.all([run(id), run(other)], { concurrency: 2 }).pipe(Effect.provide(database.process()))
      for (const [match, facts] of [
        [id, events],
        [other, others],
      ] as const) {
        const expected = expectedOf(match, facts).rows.filter(({ name }) => name !== database.rejects)
        assert.sameMembers(
          stored(database).flatMap(({ eventId, lane }) => (lane === match ? [eventId] : [])),
          expected.map(({ eventId }) => eventId),
        )
      }
    }).pipe(Effect.provide(log)),
  )
})
