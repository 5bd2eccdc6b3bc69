/** Registered matches that never begin: which are cancelled, when, and that the cancellation ends them. */
import { assert, describe, it } from "@effect/vitest"
import { EventLog, LogError } from "@matchpoint/bus/EventLog"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { FeedWriter } from "@matchpoint/bus/FeedWriter"
import { DIRECTORY, directorySubject, FEED, feedSubject, streams } from "@matchpoint/contracts/bus/subjects"
import { cs2LiveGame } from "@matchpoint/cs2/live/cs2LiveGame"
import { matchId } from "@matchpoint/cs2/rules/ids"
import type { GameEvent, GameState } from "@matchpoint/domain/game/GameRules"
import type { MatchId } from "@matchpoint/domain/ids"
import type { LiveGame } from "@matchpoint/game/live/LiveGame"
import type { Checkpoint } from "@matchpoint/store/live/Checkpoints"
import type { RegisteredMatch } from "@matchpoint/store/live/Matches"
import { tennisLiveGame } from "@matchpoint/tennis/live/tennisLiveGame"
import { Clock, DateTime, Effect, Layer, Option, Result, type Schema, Stream } from "effect"
import { TestClock } from "effect/testing"
import { cancelUnstarted } from "../src/UnstartedMatches.ts"
import { simulatedEvents } from "./simulated.ts"
import { announce, services } from "./supervised.ts"
import { simulatedTennisEvents, tennisMatch } from "./tennis/simulated.ts"

const DAY_MS = 86_400_000

/** Time of the registrations. */
const START = Date.UTC(2026, 10, 1)

const cs2 = { game: cs2LiveGame as LiveGame, id: matchId(701), events: simulatedEvents(71, matchId(701)) as ReadonlyArray<GameEvent> }
const tennis = {
  game: tennisLiveGame as LiveGame,
  id: tennisMatch(702),
  events: simulatedTennisEvents(1, tennisMatch(702)) as ReadonlyArray<GameEvent>,
}

type Sample = typeof cs2

/** The n-th event of the match, as if it had arrived now. */
const eventNow = (sample: Sample, n: number) =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const event = sample.events[n] ?? assert.fail(`the simulated match has no event ${n}`)
    return { ...event, observedAt: now, receivedAt: now }
  })

const appendNow = Effect.fnUntraced(function* (sample: Sample, n: number) {
  const writer = yield* FeedWriter
  yield* writer.append(yield* eventNow(sample, n))
})

const rowOf = ({ events, game, id }: Sample, changes: Partial<RegisteredMatch> = {}, config: object = {}): RegisteredMatch => {
  const created = JSON.parse(new TextDecoder().decode(game.encodeEvent(events[0] ?? assert.fail("no event")))) as Schema.Json
  return {
    matchId: id,
    status: "scheduled",
    bestOf: 1,
    team1: { id: "cs2-team-1", name: "A" },
    team2: { id: "cs2-team-2", name: "B" },
    config: { feed: "intake", created, ...config },
    createdAt: DateTime.makeUnsafe(START),
    startedAt: null,
    endedAt: null,
    result: null,
    ...changes,
  }
}

/** A register with these rows, on the test's log. Ends of matches are added to `ended`. */
class Register {
  readonly ended: Array<readonly [MatchId, string]> = []
  rows: ReadonlyArray<RegisteredMatch>
  checkpoint: Checkpoint | undefined

  constructor(...rows: ReadonlyArray<RegisteredMatch>) {
    this.rows = rows
  }

  readonly services = Layer.suspend(() =>
    Layer.merge(
      FeedWriter.layer,
      services({
        matches: {
          listActive: (game) => Effect.sync(() => this.rows.filter((row) => row.matchId.startsWith(game))),
          finish: (id, _, status) => Effect.sync(() => this.ended.push([id, status]) > 0),
        },
        checkpoints: { load: () => Effect.sync(() => Option.fromUndefinedOr(this.checkpoint)) },
      }),
    ),
  )
}

const look = cancelUnstarted([cs2LiveGame, tennisLiveGame])

/** Returns the state that the facts in FEED lead to, and the number of facts. */
const folded = Effect.fnUntraced(function* ({ game, id }: Sample) {
  const log = yield* EventLog
  const records = yield* Stream.runCollect(log.read(FEED, feedSubject(id), { _tag: "First" }))
  let state: GameState | undefined
  for (const { data } of records) {
    const step = game.rules.fold(state, Result.getOrThrow(game.decodeEvent(data)))
    if (step._tag === "Rejected") assert.fail(step.rejection.message)
    state = step.state
  }
  return { status: state?.status, facts: records.length }
})

const isAnnounced = (id: MatchId) => Effect.flatMap(EventLog, (log) => Effect.map(log.last(DIRECTORY, directorySubject(id)), Option.isSome))

const onLog = <A, E, R>(register: Register, test: Effect.Effect<A, E, R>) =>
  TestClock.setTime(START).pipe(
    Effect.andThen(test),
    Effect.provide(register.services.pipe(Layer.provideMerge(EventLogMemory.layer({ streams })))),
  )

describe("a registered match that never begins", () => {
  for (const sample of [cs2, tennis]) {
    it.effect(`${sample.id} is cancelled after seven days, once`, () =>
      onLog(
        new Register(rowOf(sample)),
        Effect.gen(function* () {
          yield* appendNow(sample, 0)
          yield* announce(sample.id)
          yield* TestClock.adjust("167 hours")
          yield* look
          assert.deepStrictEqual(yield* folded(sample), { status: "scheduled", facts: 1 })
          yield* TestClock.adjust("1 hour")
          yield* look
          yield* look
          assert.deepStrictEqual(yield* folded(sample), { status: "cancelled", facts: 2 })
        }),
      ),
    )

    it.effect(`${sample.id} is begun first if its registration was interrupted`, () =>
      onLog(
        new Register(rowOf(sample)),
        Effect.gen(function* () {
          yield* TestClock.adjust("7 days")
          yield* look
          assert.deepStrictEqual(yield* folded(sample), { status: "cancelled", facts: 2 })
          assert.isTrue(yield* isAnnounced(sample.id))
        }),
      ),
    )
  }

  it.effect("is cancelled in the register if its row does not contain its first fact", () => {
    const register = new Register(rowOf(cs2, {}, { created: {} }))
    return onLog(
      register,
      Effect.gen(function* () {
        yield* TestClock.adjust("7 days")
        yield* look
        assert.deepStrictEqual(register.ended, [[cs2.id, "cancelled"]])
        assert.deepStrictEqual(yield* folded(cs2), { status: undefined, facts: 0 })
      }),
    )
  })

  it.effect("counts from its scheduled time if that is later", () =>
    onLog(
      new Register(rowOf(cs2, {}, { startsAt: new Date(START + 30 * DAY_MS).toISOString() })),
      Effect.gen(function* () {
        yield* appendNow(cs2, 0)
        yield* TestClock.adjust("36 days")
        yield* look
        assert.deepStrictEqual(yield* folded(cs2), { status: "scheduled", facts: 1 })
        yield* TestClock.adjust("1 day")
        yield* look
        assert.deepStrictEqual(yield* folded(cs2), { status: "cancelled", facts: 2 })
      }),
    ),
  )

  it.effect("counts from its last fact, such as one that was replayed after a loss of the log", () =>
    onLog(
      new Register(rowOf(cs2)),
      Effect.gen(function* () {
        yield* TestClock.adjust("8 days")
        yield* appendNow(cs2, 0)
        yield* look
        assert.deepStrictEqual(yield* folded(cs2), { status: "scheduled", facts: 1 })
      }),
    ),
  )

  it.effect("is cancelled if FEED has dropped its facts and its checkpoint has them", () => {
    const register = new Register(rowOf(cs2))
    return onLog(
      register,
      Effect.gen(function* () {
        const step = cs2.game.rules.fold(undefined, yield* eventNow(cs2, 0))
        assert(step._tag === "Accepted")
        const { epoch, seq } = step.state
        const state = JSON.stringify(step.state)
        register.checkpoint = { matchId: cs2.id, epoch, seq, feedSequence: 1, formatVersion: cs2LiveGame.rules.stateFormat, state }
        yield* TestClock.adjust("7 days")
        yield* look
        const log = yield* EventLog
        const { data } = Option.getOrThrow(yield* log.last(FEED, feedSubject(cs2.id)))
        const end = cs2.game.rules.fold(step.state, Result.getOrThrow(cs2.game.decodeEvent(data)))
        assert.strictEqual(end.state?.status, "cancelled")
      }),
    )
  })

  it.effect("is kept if it is live, not of the intake, or if its checkpoint is ahead of the register", () => {
    const register = new Register(rowOf(cs2, { status: "live" }), rowOf(tennis, {}, { feed: "simulated" }))
    return onLog(
      register,
      Effect.gen(function* () {
        yield* appendNow(cs2, 0)
        yield* TestClock.adjust("100 days")
        yield* look
        const step = cs2.game.rules.fold(undefined, yield* eventNow(cs2, 0))
        assert(step._tag === "Accepted")
        const state = JSON.stringify({ ...step.state, status: "live", receivedAt: START })
        const formatVersion = cs2LiveGame.rules.stateFormat
        register.rows = [rowOf(cs2)]
        register.checkpoint = { matchId: cs2.id, epoch: 1, seq: 9, feedSequence: 9, formatVersion, state }
        yield* look
        assert.strictEqual((yield* folded(cs2)).facts, 1)
        assert.strictEqual((yield* folded(tennis)).facts, 0)
        assert.deepStrictEqual(register.ended, [])
      }),
    )
  })

  it.effect("is kept if a fact arrives during the check, and others are checked after a failure", () => {
    const register = new Register(rowOf(cs2), rowOf(tennis))
    return onLog(
      register,
      Effect.gen(function* () {
        const log = yield* EventLog
        const writer = yield* FeedWriter
        yield* appendNow(cs2, 0)
        yield* appendNow(tennis, 0)
        yield* TestClock.adjust("7 days")
        const first = yield* eventNow(cs2, 1)
        const late = EventLog.of({
          ...log,
          append: (subject, ...rest) =>
            subject === feedSubject(cs2.id) ? Effect.andThen(writer.append(first), log.append(subject, ...rest)) : unavailable,
        })
        yield* Effect.provideService(look, EventLog, late)
        assert.deepStrictEqual(yield* folded(cs2), { status: "live", facts: 2 })
        assert.deepStrictEqual(yield* folded(tennis), { status: "scheduled", facts: 1 })
        yield* look
        assert.deepStrictEqual(yield* folded(tennis), { status: "cancelled", facts: 2 })
      }),
    )
  })
})

const unavailable = Effect.fail(
  new LogError({ operation: "append", target: FEED, reason: "Unavailable", retryable: true, detail: "the test's log is away" }),
)
