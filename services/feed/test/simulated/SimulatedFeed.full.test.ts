import { assert, layer } from "@effect/vitest"
import { EventLog, LogError } from "@matchpoint/bus/EventLog"
import { feedMessageId, feedSubject } from "@matchpoint/contracts/bus/subjects"
import { encodeFeedEvent } from "@matchpoint/cs2/contract/feed"
import { SimulatedFeed } from "@matchpoint/cs2/feed/simulated/SimulatedFeed"
import { configOf, toRegistration } from "@matchpoint/cs2/feed/simulated/SimulatedMatch"
import { matchId } from "@matchpoint/cs2/rules/ids"
import { CS2 } from "@matchpoint/cs2/rules/live/cs2Rules"
import type { FeedEvent } from "@matchpoint/cs2/rules/live/feedEvents"
import { fold } from "@matchpoint/cs2/rules/live/fold"
import type { MatchState } from "@matchpoint/cs2/rules/live/state"
import { type MatchOptions, simulateMatch } from "@matchpoint/cs2/simulator/simulateMatch"
import { factId, type MatchId, matchNumber } from "@matchpoint/domain/ids"
import { Matches, type RegisteredMatch } from "@matchpoint/store/live/Matches"
import { Clock, DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { active, announced, eventsOf, idOf, optionsOf, recordsOf, session, store, until, whileFeedRuns } from "./simulatedFeedTesting.ts"

const MINUTE = 60_000

/** Waits until all wanted matches run and their initial facts are appended. */
const begun = (count: number) =>
  Effect.gen(function* () {
    const feed = yield* SimulatedFeed
    let before = -1
    const settled = Effect.map(feed.running, (running) => {
      const facts = running.reduce((sum, match) => sum + match.facts, 0)
      const still = running.length === count && facts === before
      before = facts
      return still
    })
    yield* until(`${count} matches are on`, settled)
  })

const onlyRow = Effect.map(active, ([row, ...more]): RegisteredMatch => {
  if (row === undefined || more.length > 0) throw new Error(`one match should be on, not ${row === undefined ? 0 : more.length + 1}`)
  return row
})

const happening = (fact: { readonly type: string; readonly payload: unknown } | undefined) => ({ type: fact?.type, payload: fact?.payload })

/**
 * Asserts that the events are the match's first facts, in order and without duplicates, and that the fold rejects none.
 */
const assertPlayed = (options: MatchOptions, events: ReadonlyArray<FeedEvent>): MatchState => {
  for (const [i, event] of events.entries()) assert.strictEqual(event.id, `sim:${i + 1}`)
  const expected = factsOf(options)
  for (const [i, event] of events.entries()) assert.deepStrictEqual(happening(event), happening(expected[i]), event.id)
  let state: MatchState | undefined
  let before = 0
  for (const event of events) {
    assert.isAtLeast(event.observedAt, before)
    before = event.observedAt
    const step = fold(state, event)
    assert.strictEqual(step._tag, "Accepted", event.id)
    state = step.state
  }
  if (state === undefined) throw new Error("nothing was played")
  return state
}

const factsOf = (options: MatchOptions) => [...simulateMatch(options)]

layer(store, { timeout: "60 seconds" })("SimulatedFeed", (it) => {
  it.effect("registers, announces and plays each fact at its time", () =>
    session((start) =>
      whileFeedRuns(
        { matches: 1 },
        Effect.gen(function* () {
          yield* begun(1)
          const row = yield* onlyRow
          const options = optionsOf(row)
          const [team1, team2] = options.teams ?? []
          assert.deepStrictEqual([row.team1.name, row.team2.name, row.bestOf], [team1?.name, team2?.name, options.bestOf])
          assert.deepStrictEqual(yield* announced, [idOf(row)])
          yield* TestClock.adjust("20 minutes")
          const events = yield* eventsOf(idOf(row))
          const due = factsOf(options).filter((fact) => fact.offsetMs <= 20 * MINUTE)
          assert.strictEqual(assertPlayed(options, events).seq, due.length)
          assert.isAbove(due.length, 300)
          for (const [i, event] of events.entries()) {
            assert.strictEqual(event.observedAt, start + (due[i]?.offsetMs ?? Number.NaN))
            assert.strictEqual(event.receivedAt, event.observedAt)
          }
        }),
      ),
    ),
  )

  it.effect("plays at another speed", () =>
    session(() =>
      whileFeedRuns(
        { matches: 1, speed: 10 },
        Effect.gen(function* () {
          yield* begun(1)
          const row = yield* onlyRow
          yield* TestClock.adjust("1 minute")
          const due = factsOf(optionsOf(row)).filter((fact) => fact.offsetMs <= 10 * MINUTE)
          assert.strictEqual((yield* recordsOf(idOf(row))).length, due.length)
        }),
      ),
    ),
  )

  it.effect("plays as fast as FEED accepts the facts", () =>
    session(() =>
      whileFeedRuns(
        { matches: 2, speed: "max" },
        Effect.gen(function* () {
          yield* until(
            "both are over and the next two are registered",
            Effect.map(active, (rows) => rows.length === 4),
          )
          const [one, two] = yield* active
          for (const row of [one, two]) {
            if (row === undefined) throw new Error("a match is missing")
            assert.strictEqual(assertPlayed(optionsOf(row), yield* eventsOf(idOf(row))).status, "completed")
          }
        }),
      ),
    ),
  )

  it.effect("starts the first matches at different points, with past times for earlier facts", () =>
    session((start) =>
      whileFeedRuns(
        { matches: 4 },
        Effect.gen(function* () {
          yield* begun(4)
          const depths: Array<number> = []
          for (const row of yield* active) {
            const options = optionsOf(row)
            const events = yield* eventsOf(idOf(row))
            assertPlayed(options, events)
            assert.isTrue(events.every((event) => event.observedAt <= start && event.receivedAt === start))
            const first = events[0]?.observedAt ?? Number.NaN
            const depth = start - first
            assert.strictEqual(events.length, factsOf(options).filter((fact) => fact.offsetMs <= depth).length)
            depths.push(Math.round(depth / MINUTE))
          }
          assert.deepStrictEqual(
            depths.sort((one, two) => one - two),
            [5, 14, 23, 32],
          )
          const running = yield* Effect.flatMap(SimulatedFeed, (feed) => feed.running)
          assert.deepStrictEqual(
            running.map((match) => match.matchId),
            (yield* active).map(idOf),
          )
          assert.deepStrictEqual(
            running.map((match) => match.facts),
            yield* Effect.forEach(yield* active, (row) => Effect.map(recordsOf(idOf(row)), (records) => records.length)),
          )
        }),
      ),
    ),
  )

  it.effect("continues after crashes without losing or repeating a fact", () =>
    session(() =>
      Effect.gen(function* () {
        const stops = [0, 1, 17_000, 3 * MINUTE, 12 * MINUTE + 345, 15 * MINUTE]
        for (const stop of stops) {
          yield* whileFeedRuns({ matches: 1 }, Effect.andThen(begun(1), TestClock.adjust(stop)))
          yield* TestClock.adjust("7 hours")
        }
        const row = yield* onlyRow
        const options = optionsOf(row)
        assertPlayed(options, yield* eventsOf(idOf(row)))
        // Plays to the end at a much higher speed.
        yield* whileFeedRuns(
          { matches: 1, speed: "max" },
          until(
            "the next one is registered",
            Effect.map(active, (rows) => rows.length === 2),
          ),
        )
        const events = yield* eventsOf(idOf(row))
        assert.strictEqual(events.length, factsOf(options).length)
        assert.strictEqual(assertPlayed(options, events).status, "completed")
      }),
    ),
  )

  it.effect("catches up after a short stop and stops the match's clock after a long one", () =>
    session((start) =>
      Effect.gen(function* () {
        const options = { matches: 1 }
        yield* whileFeedRuns(options, Effect.andThen(begun(1), TestClock.adjust("10 minutes")))
        const row = yield* onlyRow
        const facts = factsOf(optionsOf(row))
        const played = (yield* recordsOf(idOf(row))).length
        const [last, next, after] = facts.slice(played - 1)
        if (last === undefined || next === undefined || after === undefined) throw new Error("the match is too short for this test")
        // After a restart at the same time, the next fact arrives at its original time.
        yield* whileFeedRuns(
          options,
          Effect.andThen(begun(1), TestClock.adjust(last.offsetMs + (next.offsetMs - last.offsetMs) - 10 * MINUTE)),
        )
        const prompt = (yield* eventsOf(idOf(row)))[played]
        assert.strictEqual(prompt?.observedAt, start + next.offsetMs)
        yield* TestClock.adjust("1 hour")
        const now = yield* Clock.currentTimeMillis
        yield* whileFeedRuns(options, Effect.andThen(begun(1), TestClock.adjust("1 minute")))
        const late = (yield* eventsOf(idOf(row))).slice(played + 1)
        const [first] = late
        const resumed = facts[Number(first?.id.slice("sim:".length)) - 1]
        assert.isAtLeast(first?.observedAt ?? 0, now)
        for (const event of late) {
          const fact = facts[Number(event.id.slice("sim:".length)) - 1]
          assert.strictEqual(event.observedAt - now, (fact?.offsetMs ?? 0) - (resumed?.offsetMs ?? 0))
        }
      }),
    ),
  )

  it.effect("appends every fact once while two feeds run", () =>
    session(() =>
      Effect.gen(function* () {
        const options = { matches: 2, stagger: 0 }
        const both = whileFeedRuns(options, Effect.andThen(begun(2), TestClock.adjust("5 minutes")))
        yield* whileFeedRuns(
          options,
          Effect.gen(function* () {
            yield* begun(2)
            yield* TestClock.adjust("3 minutes")
            yield* both
            yield* TestClock.adjust("2 minutes")
          }),
        )
        const rows = yield* active
        assert.strictEqual(rows.length, 2)
        for (const row of rows) {
          const events = yield* eventsOf(idOf(row))
          assertPlayed(optionsOf(row), events)
          assert.strictEqual(events.length, factsOf(optionsOf(row)).filter((fact) => fact.offsetMs <= 10 * MINUTE).length)
        }
      }),
    ),
  )

  it.effect("starts the next match after a break, even if restarted during it", () =>
    session(() =>
      Effect.gen(function* () {
        const matches = yield* Matches
        const options = { matches: 1, breakBetween: "30 seconds" } as const
        const [first, next] = yield* whileFeedRuns(
          options,
          Effect.gen(function* () {
            yield* begun(1)
            const first = yield* onlyRow
            yield* TestClock.adjust(factsOf(optionsOf(first)).at(-1)?.offsetMs ?? 0)
            yield* until(
              "the next one is registered",
              Effect.map(active, (rows) => rows.length === 2),
            )
            yield* matches.finish(first.matchId, yield* DateTime.now, "completed", null)
            const next = yield* onlyRow
            yield* TestClock.adjust("29 seconds")
            assert.strictEqual((yield* recordsOf(idOf(next))).length, 0)
            return [first, next] as const
          }),
        )
        assert.notStrictEqual(optionsOf(first).seed, optionsOf(next).seed)
        yield* whileFeedRuns(options, Effect.andThen(begun(1), TestClock.adjust("2 minutes")))
        assert.strictEqual((yield* onlyRow).matchId, next.matchId)
        assertPlayed(optionsOf(next), yield* eventsOf(idOf(next)))
        assert.deepStrictEqual(yield* announced, [idOf(first), idOf(next)])
      }),
    ),
  )

  it.effect("repeats appends that failed and appends that were not answered", () =>
    session(() =>
      Effect.gen(function* () {
        const log = yield* EventLog
        let attempts = 0
        const unreliable = EventLog.of({
          ...log,
          append: (subject, id, data) =>
            Effect.suspend(() => {
              attempts += 1
              const failure = new LogError({
                operation: "append",
                target: subject,
                reason: "Unavailable",
                retryable: true,
                detail: "a test",
              })
              if (attempts % 7 === 0) return Effect.fail(failure)
              const appended = log.append(subject, id, data)
              return attempts % 11 === 0 ? Effect.andThen(appended, Effect.fail(failure)) : appended
            }),
        })
        yield* whileFeedRuns({ matches: 2, stagger: 0 }, Effect.andThen(begun(2), TestClock.adjust("20 minutes"))).pipe(
          Effect.provideService(EventLog, unreliable),
        )
        let facts = 0
        for (const row of yield* active) {
          const events = yield* eventsOf(idOf(row))
          assertPlayed(optionsOf(row), events)
          facts += events.length
        }
        assert.isAbove(facts, 800)
        assert.isAbove(attempts, facts + 100)
      }),
    ),
  )

  it.effect("finds its position behind facts of others", () =>
    session((start) =>
      Effect.gen(function* () {
        yield* whileFeedRuns({ matches: 1 }, Effect.andThen(begun(1), TestClock.adjust("8 minutes")))
        const row = yield* onlyRow
        const id = idOf(row)
        const before = yield* eventsOf(id)
        yield* appendEvent(id, {
          id: factId("watchdog:1"),
          matchId: id,
          source: "backup",
          observedAt: start + 9 * MINUTE,
          receivedAt: start + 9 * MINUTE,
          type: "SourceChanged",
          payload: { source: "live_backup" },
        })
        yield* whileFeedRuns({ matches: 1 }, Effect.andThen(begun(1), TestClock.adjust("5 minutes")))
        const own = (yield* eventsOf(id)).filter((event) => event.id.startsWith("sim:"))
        assert.isAbove(own.length, before.length)
        assertPlayed(optionsOf(row), own)
      }),
    ),
  )

  it.effect("cancels a match of another generator version", () =>
    session(() =>
      Effect.gen(function* () {
        const matches = yield* Matches
        const { simulated } = configOf({ seed: 1, circuit: 64 }, 3)
        const config = { simulated: { ...simulated, generator: simulated.generator + 1 } }
        const id = yield* matches.register(CS2, { ...toRegistration({ simulated }), config })
        const row = yield* onlyRow
        yield* whileFeedRuns({ matches: 1 }, begun(1))
        const events = yield* eventsOf(idOf(row))
        assert.deepStrictEqual(
          events.map((event) => event.type),
          ["MatchCreated", "MatchEnded"],
        )
        let state: MatchState | undefined
        for (const event of events) state = fold(state, event).state
        assert.strictEqual(state?.status, "cancelled")
        assert.deepStrictEqual(
          (yield* active).map((match) => match.matchId),
          [id, matchId(matchNumber(id) + 1)],
        )
      }),
    ),
  )

  it.effect("ignores matches that real feeds play", () =>
    session(() =>
      Effect.gen(function* () {
        const matches = yield* Matches
        const team = (name: string) => ({ id: `cs2-team-${name.length}`, name })
        const id = yield* matches.register(CS2, { bestOf: 1, team1: team("one"), team2: team("other"), config: { server: "10.0.0.1" } })
        yield* whileFeedRuns({ matches: 1 }, Effect.andThen(begun(1), TestClock.adjust("2 minutes")))
        const rows = yield* active
        assert.strictEqual(rows.length, 2)
        for (const row of rows) {
          assert.strictEqual((yield* recordsOf(idOf(row))).length > 0, row.matchId !== id)
        }
      }),
    ),
  )
})

const appendEvent = (match: MatchId, event: FeedEvent) =>
  Effect.flatMap(EventLog, (log) => log.append(feedSubject(match), feedMessageId(match, event.id), encodeFeedEvent(event)))
