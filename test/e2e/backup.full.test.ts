/**
 * Tests a match with two feeds, second by second on a simulated clock. The main feed is silent for two minutes and the
 * backup takes over. Then the main feed returns and either sends what it held back or does not. Uses the real actor on
 * a real log, with simulated and recorded matches.
 */
import { assert, describe, it } from "@effect/vitest"
import { EventLog } from "@matchpoint/bus/EventLog"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { Rejections, rejectedTotal } from "@matchpoint/bus/Rejections"
import { FEED, feedMessageId, feedSubject, LIVE, liveSubject, streams } from "@matchpoint/contracts/bus/subjects"
import { decodeFeedEvent, encodeFeedEvent } from "@matchpoint/cs2/contract/feed"
import { decodeUpdate } from "@matchpoint/cs2/contract/frames"
import { cs2LiveGame } from "@matchpoint/cs2/live/cs2LiveGame"
import { unavailableOnBackup } from "@matchpoint/cs2/live/projectBackup"
import { matchId } from "@matchpoint/cs2/rules/ids"
import type { FeedEvent } from "@matchpoint/cs2/rules/live/feedEvents"
import { foldAll } from "@matchpoint/cs2/rules/live/fold"
import type { MatchState } from "@matchpoint/cs2/rules/live/state"
import { MatchCheckpoints } from "@matchpoint/game/live/MatchCheckpoints"
import { runMatch } from "@matchpoint/service-match/actor/MatchActor"
import { Matches } from "@matchpoint/store/live/Matches"
import { Effect, Fiber, Layer, Metric, Result, Stream } from "effect"
import { TestClock } from "effect/testing"
import { inject } from "vitest"
import { LiveReader } from "../fixtures/clients/LiveReader.ts"
import { NoneParked } from "../fixtures/noneParked.ts"
import { simulatedEvents } from "../fixtures/simulated.ts"
import { factsOf } from "../load/deltas/realMatches.ts"

const data = inject("dataDirectory")

const SILENCE_MS = 120_000
/** Delay of the backup feed after the main feed, in milliseconds. */
const BACKUP_LAG_MS = 1_500

const Services = Layer.mergeAll(
  Rejections.layer,
  NoneParked,
  Layer.mock(Matches, {
    markLive: () => Effect.succeed(true),
    advance: () => Effect.succeed(true),
    finish: () => Effect.succeed(true),
  }),
  Layer.mock(MatchCheckpoints, { load: () => Effect.succeed(undefined), save: () => Effect.succeed(true) }),
).pipe(Layer.provideMerge(EventLogMemory.layer({ streams })))

interface TimedEvent {
  readonly at: number
  readonly event: FeedEvent
}

/** Main-feed events, received when they were observed: recordings of demos hold no other time. */
const byMain = (events: ReadonlyArray<FeedEvent>): ReadonlyArray<TimedEvent> =>
  events.map((event) => ({ at: event.observedAt, event: { ...event, receivedAt: event.observedAt } }))

const byBackup = (events: ReadonlyArray<FeedEvent>): ReadonlyArray<TimedEvent> =>
  events.map((event) => {
    const at = event.observedAt + BACKUP_LAG_MS
    return { at, event: { ...event, source: "backup", receivedAt: at } }
  })

/**
 * Removes the main feed's events of two minutes from `from` on. If `resent`, they all arrive at the end of the silence.
 */
const withSilence = (timedEvents: ReadonlyArray<TimedEvent>, from: number, resent: boolean): ReadonlyArray<TimedEvent> => {
  const until = from + SILENCE_MS
  const isSilent = ({ at }: TimedEvent) => at >= from && at < until
  return timedEvents.flatMap((one) => (!isSilent(one) ? [one] : resent ? [{ at: until, event: { ...one.event, receivedAt: until } }] : []))
}

/** Plays both feeds on the simulated clock. Returns the final state and all documents in LIVE. */
const play = Effect.fnUntraced(function* (timedEvents: ReadonlyArray<TimedEvent>) {
  const log = yield* EventLog
  const id = timedEvents[0]?.event.matchId ?? assert.fail("there are no events")
  const inOrder = timedEvents.map((one, index) => ({ ...one, index })).sort((a, b) => a.at - b.at || a.index - b.index)
  yield* TestClock.setTime(Math.floor((inOrder[0]?.at ?? 0) / 1_000) * 1_000)
  const actor = yield* Effect.forkChild(runMatch(cs2LiveGame, id))
  let second = Math.floor((inOrder[0]?.at ?? 0) / 1_000)
  for (const { at, event } of inOrder) {
    for (; second < Math.floor(at / 1_000); second++) yield* TestClock.adjust("1 second")
    yield* log.append(feedSubject(id), feedMessageId(id, event.id, event.source), encodeFeedEvent(event))
  }
  yield* TestClock.adjust("2 minutes")
  // If the actor has failed, its error is reported here. Later assertions would only show a match that stands still.
  yield* actor.pollUnsafe() ?? Fiber.interrupt(actor)
  const events = (yield* Stream.runCollect(log.read(FEED, feedSubject(id), { _tag: "First" }))).map((record) =>
    Result.getOrThrow(decodeFeedEvent(record.data)),
  )
  const reader = new LiveReader()
  const documents = (yield* Stream.runCollect(log.read(LIVE, liveSubject(id), { _tag: "First" }))).map((record) => {
    const frames = reader.take(record) ?? assert.fail("not a record")
    return { at: record.appendedAt, match: Result.getOrThrow(decodeUpdate(frames.update)).data }
  })
  return { state: foldAll(undefined, events) ?? assert.fail("no match"), documents }
})

/** Parts of a state that must be equal at the end: without our own times and without the count of changes. */
const resultOf = ({ endReason, maps, players, seriesScore, status, winner }: MatchState) => ({
  endReason,
  maps,
  players,
  seriesScore,
  status,
  winner,
})

/** A time in the middle of a round, about two fifths into the match. */
const middleOf = (events: ReadonlyArray<FeedEvent>): number => events[Math.floor(events.length * 0.4)]?.observedAt ?? 0

const handsOverAndBack = (events: ReadonlyArray<FeedEvent>, backup: ReadonlyArray<FeedEvent> = events) =>
  Effect.gen(function* () {
    const silentFrom = middleOf(events)
    const { documents, state } = yield* play([...withSilence(byMain(events), silentFrom, true), ...byBackup(backup)])
    const undisturbed = foldAll(undefined, events) ?? assert.fail("no match")
    assert.deepStrictEqual(resultOf(state), resultOf(undisturbed))

    const lastByMain = Math.max(...events.map(({ observedAt }) => observedAt).filter((at) => at < silentFrom))
    const first = documents.find(({ at, match }) => at > lastByMain && match.source === "live_backup")
    assert.isAtMost((first?.at ?? Number.POSITIVE_INFINITY) - lastByMain, 60_000)
    const back = documents.find(({ at, match }) => at >= silentFrom + SILENCE_MS - 1_000 && match.source === "live")
    assert.isAtMost((back?.at ?? Number.POSITIVE_INFINITY) - silentFrom - SILENCE_MS, 10_000)

    for (const { match } of documents) {
      if (match.source === "live") continue
      assert.deepStrictEqual([match.players, match.rounds, match.timeout, match.lastEvent], [[], [], null, null])
      assert.deepStrictEqual(match.unavailableFields, unavailableOnBackup)
      assert.strictEqual(match.game?.map, undisturbed.maps[0]?.name)
    }
    const scores = documents.filter(({ match }) => match.source === "live_backup").map(({ match }) => sum(match.teams))
    assert.deepStrictEqual(
      scores,
      [...scores].sort((a, b) => a - b),
    )
    assert.isAbove(scores.length, 0)
    assert.isAbove(Number((yield* Metric.value(rejectedTotal("backup_standby"))).count), 0)
    assert.isAbove(back?.match.players.length ?? 0, 0)
  }).pipe(Effect.provide(Services))

const sum = ([one, two]: readonly [{ readonly mapScore: number }, { readonly mapScore: number }]) => one.mapScore + two.mapScore

const continuesWithoutResend = (events: ReadonlyArray<FeedEvent>) =>
  Effect.gen(function* () {
    const { state } = yield* play([...withSilence(byMain(events), middleOf(events), false), ...byBackup(events)])
    const undisturbed = foldAll(undefined, events) ?? assert.fail("no match")
    assert.deepInclude(state, { status: undisturbed.status, winner: undisturbed.winner })
    assert.deepStrictEqual(
      state.maps.map(({ name, score, winner }) => ({ name, score, winner })),
      undisturbed.maps.map(({ name, score, winner }) => ({ name, score, winner })),
    )
  }).pipe(Effect.provide(Services))

describe("a main feed that is silent for two minutes", () => {
  const events = simulatedEvents(21, matchId(3_001))

  it.effect("is replaced by the backup and then resends everything", () => handsOverAndBack(events), 60_000)

  it.effect("is replaced by the backup and then continues with current events", () => continuesWithoutResend(events), 60_000)

  describe.skipIf(data === null)("in recorded matches", () => {
    const files = [
      "cs2/matches/ebot_monte_vs_og_roobet_cup_2023_anubis.json.gz",
      "cs2/matches/esportligaen_6a173af37c12e17acad1185e_2026_mirage.json.gz",
      "cs2/logs/server-2026-01-19-a.log.gz",
    ]
    for (const file of files) {
      it.effect(`is replaced by the backup and then resends everything: ${file}`, () => handsOverAndBack(factsOf(data ?? "", file)), 60_000)
      it.effect(
        `is replaced by the backup and then continues with current events: ${file}`,
        () => continuesWithoutResend(factsOf(data ?? "", file)),
        60_000,
      )
    }
  })
})

describe("a match with a backup feed only", () => {
  const events = simulatedEvents(22, matchId(3_002))
  const [created, ...rest] = events

  it.effect(
    "shows its map and score within the backup's first minute, and completes",
    () =>
      Effect.gen(function* () {
        if (created === undefined) return assert.fail("no match")
        const { documents, state } = yield* play([...byMain([created]), ...byBackup(rest)])
        const undisturbed = foldAll(undefined, events) ?? assert.fail("no match")
        assert.deepInclude(state, { status: "completed", winner: undisturbed.winner })
        assert.deepStrictEqual(state.maps[0]?.score, undisturbed.maps[0]?.score)
        const shown = documents.find(({ match }) => match.game !== null)
        assert.isAtMost((shown?.at ?? Number.POSITIVE_INFINITY) - created.observedAt, 60_000)
        assert.isTrue(documents.slice(1).every(({ match }) => match.source === "live_backup" && match.players.length === 0))
      }).pipe(Effect.provide(Services)),
    60_000,
  )
})
