/** Shared by the tests of match actors: the services of an actor, and reads of its published records. */
import { assert } from "@effect/vitest"
import { EventLog } from "@matchpoint/bus/EventLog"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { Rejections } from "@matchpoint/bus/Rejections"
import {
  cursorOfMessageId,
  feedMessageId,
  feedSubject,
  LIVE,
  liveSubject,
  REJECTED,
  rejectedSubject,
  streams,
} from "@matchpoint/contracts/bus/subjects"
import { readRecord } from "@matchpoint/contracts/stream/record"
import { encodeFeedEvent } from "@matchpoint/cs2/contract/feed"
import { matchId } from "@matchpoint/cs2/rules/ids"
import type { FeedEvent } from "@matchpoint/cs2/rules/live/feedEvents"
import type { MatchId } from "@matchpoint/domain/ids"
import { MatchCheckpoints } from "@matchpoint/game/live/MatchCheckpoints"
import { MatchConfig } from "@matchpoint/game/live/MatchConfig"
import { Migrations } from "@matchpoint/games/Migrations"
import { Checkpoints } from "@matchpoint/store/live/Checkpoints"
import { Matches } from "@matchpoint/store/live/Matches"
import { ParkedMatches } from "@matchpoint/store/live/ParkedMatches"
import { embeddedMemory } from "@matchpoint/testing/databases"
import { Effect, Layer, Stream } from "effect"

/** The store in an embedded database of its own. */
export const StoreLayer = Layer.mergeAll(Matches.layer, Checkpoints.layer, ParkedMatches.layer).pipe(
  Layer.provide(Migrations.layer),
  Layer.provide(embeddedMemory),
)

/** Short intervals. */
export const Settings = Layer.effect(
  MatchConfig,
  Effect.map(MatchConfig, (defaults) => ({
    ...defaults,
    checkpointEvery: "20 millis",
    lingerAfterEnd: "50 millis",
    notePositionEvery: "10 millis",
    watchEvery: "10 millis",
    quietAfter: "200 millis",
    restartAfter: "10 millis",
    lostRestartAfter: "10 millis",
  })),
)

export const Services = Layer.mergeAll(MatchCheckpoints.layer, Rejections.layer, Settings).pipe(
  Layer.provideMerge(StoreLayer),
  Layer.provideMerge(EventLogMemory.layer({ streams })),
)

/** Each test has its own matches in the shared log. */
let lastMatch = 2_000
export const aMatch = () => matchId(++lastMatch)

export const appendAll = Effect.fnUntraced(function* (events: ReadonlyArray<FeedEvent>) {
  const log = yield* EventLog
  yield* Effect.forEach(
    events,
    (event) => log.append(feedSubject(event.matchId), feedMessageId(event.matchId, event.id, event.source), encodeFeedEvent(event)),
    { discard: true },
  )
})

export const published = Effect.fnUntraced(function* (id: MatchId) {
  const log = yield* EventLog
  const records = yield* Stream.runCollect(log.read(LIVE, liveSubject(id), { _tag: "First" }))
  return Array.from(records)
})

export const untilPublished = Effect.fnUntraced(function* (id: MatchId, seq: number) {
  const log = yield* EventLog
  yield* log.consume(LIVE, liveSubject(id), { _tag: "First" }).pipe(
    Stream.takeUntil((record) => (cursorOfMessageId(record.id)?.seq ?? 0) >= seq),
    Stream.runDrain,
  )
})

export const rejectionsOf = Effect.fnUntraced(function* (id: MatchId) {
  const log = yield* EventLog
  const records = yield* Stream.runCollect(log.read(REJECTED, rejectedSubject, { _tag: "First" }))
  return Array.from(records, (record): { matchId: string; code: string } => JSON.parse(new TextDecoder().decode(record.data))).filter(
    (one) => one.matchId === id,
  )
})

/** Returns a record without its document, because an owner's starting point decides which records carry one. */
const sayingOf = (record: Uint8Array): string => {
  const { delta, internals } = readRecord(record) ?? assert.fail("not a record")
  return JSON.stringify([delta, internals["event"]])
}

export const assertFrames = (records: ReadonlyArray<{ readonly data: Uint8Array }>, frames: ReadonlyArray<Uint8Array>) => {
  assert.strictEqual(records.length, frames.length)
  for (const [index, frame] of frames.entries())
    assert.strictEqual(sayingOf(records[index]?.data ?? new Uint8Array()), sayingOf(frame), `frame ${index + 1}`)
}
