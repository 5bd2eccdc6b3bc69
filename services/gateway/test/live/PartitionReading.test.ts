/**
 * Clients of a gateway that reads only the partitions they follow get the same frames as from one that reads everything:
 * each once and in order, whatever they follow, leave and resume while the matches go on.
 */
import { assert, describe, it } from "@effect/vitest"
import { EventLog } from "@matchpoint/bus/EventLog"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import {
  allEntries,
  allLive,
  ENTRIES,
  entryMessageId,
  entrySubject,
  LIVE,
  liveMessageId,
  liveSubject,
  matchOfSubject,
  partitionOf,
} from "@matchpoint/contracts/bus/subjects"
import { compactOf } from "@matchpoint/contracts/cs2/compactOf"
import type { ServerMessage } from "@matchpoint/contracts/cs2/serverMessages"
import type { Cursor } from "@matchpoint/contracts/stream/cursors"
import { recordText } from "@matchpoint/contracts/stream/record"
import { ALL, matchRoom, parseRoom } from "@matchpoint/contracts/stream/rooms"
import { deltaText } from "@matchpoint/contracts/stream/wire"
import { matchId } from "@matchpoint/domain/cs2/ids"
import type { MatchId } from "@matchpoint/domain/ids"
import { LiveRooms } from "@matchpoint/realtime/LiveRooms"
import type { OlderFrames } from "@matchpoint/realtime/SessionConnection"
import { Clock, Context, Effect, Fiber, Schema, Stream } from "effect"
import { TestClock } from "effect/testing"
import { assertTranscript, bounds, Client, lastSeqs, world } from "../../../../packages/realtime/test/session/model.ts"
import { Interest, LINGER_MS, partOf } from "../../src/live/Interest.ts"
import { PromptReading } from "../../src/live/PromptReading.ts"
import { RecordIntake } from "../../src/live/RecordIntake.ts"
import { newestFor, readLive, type Tier } from "../../src/live/readLive.ts"
import { documentOf, games, recordOf, type StoredFrame } from "../replay/storedMatch.ts"

const memoryLog = EventLogMemory.layer({
  streams: [
    { name: LIVE, subjects: [allLive], maxBytes: 64_000_000 },
    { name: ENTRIES, subjects: [allEntries], maxBytes: 64_000_000 },
  ],
})

const RING = 1_000
/** Matches of four partitions: the first and the last one are in the same. */
const matches = [1, 2, 3, 4, 65].map(matchId)
const rooms = [...matches.map(matchRoom), ALL]

/** Publishes frames and list entries of matches. */
const opened = Effect.gen(function* () {
  const log = yield* EventLog
  const newest = new Map<MatchId, StoredFrame & { readonly position: number }>()
  const seqOf = (match: MatchId): number => newest.get(match)?.seq ?? 0
  const append = Effect.fnUntraced(function* (match: MatchId, count: number) {
    for (let n = 0; n < count; n++) {
      const frame = { match, seq: seqOf(match) + 1 }
      const record = recordOf(frame, newest.get(match))
      const { sequence } = yield* log.append(liveSubject(match), liveMessageId(match, 1, frame.seq), record)
      newest.set(match, { ...frame, position: sequence })
    }
  })
  const list = Effect.fnUntraced(function* (match: MatchId) {
    const frame = newest.get(match)
    if (frame === undefined) return
    const { position, seq } = frame
    const document = compactOf(documentOf(frame))
    const at = documentOf(frame).updatedAt
    const delta = deltaText("cs2", { matchId: match, epoch: 1, seq, observedAt: at, receivedAt: at, base: seq, events: [], patch: {} })
    const record = recordText({ kind: "kept", delta, internals: { last: null }, document: JSON.stringify(document) })
    yield* log.append(entrySubject(match), entryMessageId(match, 1, seq, position), new TextEncoder().encode(record))
  })
  return { append, list, seqOf }
})

/** A log from which reading takes time, so that matches go on while partitions are read. */
const slowly = (log: EventLog["Service"]): EventLog["Service"] => ({
  ...log,
  read: (...asked) => Stream.tap(log.read(...asked), () => Effect.sleep(1)),
  consume: (...asked) => Stream.tap(log.consume(...asked), () => Effect.sleep(1)),
})

/** A tier that reads what its clients follow. */
const followedTier = Effect.gen(function* () {
  const log = slowly(yield* EventLog)
  const clock = yield* Clock.Clock
  const { clients, edge } = world(RING)
  const now = () => clock.currentTimeMillisUnsafe()
  const interest = new Interest(now)
  const intake = new RecordIntake(games, now, Context.empty())
  const passedOn: Array<string> = []
  const tier: Tier = {
    name: "real-time",
    edge,
    interest,
    live: new PromptReading({
      log,
      stream: LIVE,
      filter: allLive,
      take: (records) =>
        Effect.sync(() => {
          for (const record of records) if (intake.pass(edge, record) !== undefined) passedOn.push(record.subject)
        }),
    }),
    entries: new PromptReading({
      log,
      stream: ENTRIES,
      filter: allEntries,
      take: (records) =>
        Effect.sync(() => {
          for (const record of records) {
            const match = matchOfSubject(record.subject)
            if (match !== undefined && !interest.isRead(partitionOf(match))) intake.passEntry(edge.rooms, record)
          }
        }),
    }),
  }
  const reading = yield* Effect.forkScoped(
    readLive({ log, reads: "followed", tiers: [tier], intake, newRooms: () => new LiveRooms(bounds(RING)) }),
  )
  yield* TestClock.adjust("10 seconds")
  yield* Fiber.join(reading)
  return { clients, edge, interest, passedOn, tier }
})

/** Starts clients again whose frames are no longer in memory. */
const resetting: OlderFrames = {
  read: (session, following) => {
    following.reading = false
    session.reset(following)
  },
  stop: () => {},
}

/** Returns the cursor of the last frame that a client has, of one match or of all. */
const cursorIn = (received: ReadonlyArray<ServerMessage>, match: MatchId | undefined): Cursor | undefined => {
  const last = received.findLast((message) => "seq" in message && (match === undefined || message.matchId === match))
  if (last === undefined || !("seq" in last)) return undefined
  const { epoch, matchId: id, position, seq } = last
  return { matchId: id as MatchId, epoch, seq, position }
}

const settled = TestClock.adjust("10 seconds")

describe("a gateway that reads what its clients follow", () => {
  it.effect("lists the other matches from their entries, and reads their partition when they are followed", () =>
    Effect.gen(function* () {
      const { append, list } = yield* opened
      const [one, two] = [matchId(1), matchId(2)]
      yield* append(one, 40)
      yield* append(two, 5)
      yield* list(one)
      yield* list(two)
      const { edge, interest, passedOn, tier } = yield* followedTier
      const log = yield* EventLog
      assert.deepStrictEqual(
        edge.rooms.live().map(({ newest }) => newest?.seq),
        [40, 5],
      )
      yield* append(one, 3)
      yield* settled
      assert.deepStrictEqual([edge.rooms.get(one)?.newest?.seq, edge.rooms.get(one)?.ring.size, passedOn.length], [40, 1, 0])
      assert.strictEqual(yield* newestFor(tier, log, 0), tier.live.passed)

      let isRead = false
      interest.whenRead([partitionOf(one)], () => (isRead = true))
      yield* settled
      assert.isTrue(isRead)
      assert.deepStrictEqual([edge.rooms.get(one)?.newest?.seq, edge.rooms.get(one)?.ring.size], [43, 43])
      assert.isUndefined(edge.rooms.get(one)?.newest?.missing)
      yield* append(one, 1)
      yield* append(two, 1)
      yield* settled
      assert.deepStrictEqual(passedOn, [liveSubject(one)])
      assert.deepStrictEqual([edge.rooms.get(one)?.newest?.seq, edge.rooms.get(two)?.newest?.seq], [44, 5])
      assert.strictEqual(yield* newestFor(tier, log, 0), tier.live.passed)

      // A minute after its last use, the partition is no longer read.
      yield* TestClock.adjust(LINGER_MS + 20_000)
      yield* append(one, 2)
      yield* settled
      assert.deepStrictEqual([interest.read, edge.rooms.get(one)?.newest?.seq], [new Set(), 44])
      yield* list(one)
      yield* settled
      assert.deepStrictEqual([edge.rooms.get(one)?.newest?.seq, edge.rooms.get(one)?.ring.size], [46, 1])
    }).pipe(Effect.scoped, Effect.provide(memoryLog)),
  )

  const Step = Schema.Union([
    Schema.TaggedStruct("Append", { match: Schema.Literals([0, 1, 2, 3, 4]), count: Schema.Literals([1, 2, 40]) }),
    Schema.TaggedStruct("List", { match: Schema.Literals([0, 1, 2, 3, 4]) }),
    Schema.TaggedStruct("Follow", { client: Schema.Literals([0, 1]), room: Schema.Literals([0, 1, 2, 3, 4, 5]), resumes: Schema.Boolean }),
    Schema.TaggedStruct("Leave", { client: Schema.Literals([0, 1]), room: Schema.Literals([0, 1, 2, 3, 4, 5]) }),
    Schema.TaggedStruct("Wait", { ms: Schema.Literals([1, 5, 12, LINGER_MS * 2]) }),
  ])

  it.effect.prop(
    "loses, repeats and reorders nothing",
    { steps: Schema.Array(Step).check(Schema.isMinLength(15), Schema.isMaxLength(80)) },
    ({ steps }) =>
      Effect.gen(function* () {
        const { append, list, seqOf } = yield* opened
        for (const match of matches) {
          yield* append(match, 3)
          yield* list(match)
        }
        const { clients, edge, interest } = yield* followedTier
        const own = [0, 1].map(
          () => new Client(edge, { shape: "v2", pace: "immediate", policy: "catchup", capacity: 1e6, older: resetting }),
        )
        clients.push(...own)
        const followed = own.map(() => new Set<string>())
        for (const step of steps) {
          switch (step._tag) {
            case "Append":
              yield* append(matches[step.match] ?? assert.fail(), step.count)
              break
            case "List":
              yield* list(matches[step.match] ?? assert.fail())
              break
            case "Follow": {
              const client = own[step.client] ?? assert.fail()
              const room = rooms[step.room] ?? assert.fail()
              const parsed = parseRoom(room)
              const match = parsed?._tag === "Match" ? parsed.matchId : undefined
              followed[step.client]?.add(room)
              interest.whenRead([partOf(parsed) ?? assert.fail()], () => {
                if (followed[step.client]?.has(room) !== true) return
                client.session.enter(room, match, "v2", "immediate", step.resumes ? cursorIn(client.received, match) : undefined)
                client.session.begin()
                client.read()
              })
              break
            }
            case "Leave": {
              const room = rooms[step.room] ?? assert.fail()
              followed[step.client]?.delete(room)
              own[step.client]?.session.unfollow(room)
              break
            }
            case "Wait":
              yield* TestClock.adjust(step.ms)
          }
        }
        yield* settled
        const { last: end } = yield* (yield* EventLog).bounds(LIVE)
        for (let position = 1; position <= end; position++) assert.isFalse(edge.rooms.isRefused(position))
        for (const match of matches) yield* append(match, 1)
        yield* settled
        for (const [index, client] of own.entries()) {
          client.read()
          assertTranscript(client.received)
          const last = lastSeqs(client.received)
          for (const match of matches) {
            const isFollowed = followed[index]?.has(matchRoom(match)) === true || followed[index]?.has(ALL) === true
            if (isFollowed) assert.strictEqual(last.get(match), seqOf(match), match)
          }
        }
      }).pipe(Effect.scoped, Effect.provide(memoryLog)),
    { fastCheck: { numRuns: 300 } },
  )
})
