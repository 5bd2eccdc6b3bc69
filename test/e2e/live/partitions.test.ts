/**
 * Clients of a gateway that reads only the partitions they follow get the same frames as from one that reads everything:
 * each once and in order, whatever they follow, leave and resume while the matches go on.
 */
import { assert, describe, it } from "@effect/vitest"
import { EventLog } from "@matchpoint/bus/EventLog"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { allEntries, allLive, ENTRIES, LIVE, liveSubject, matchOfSubject, partitionOf, streams } from "@matchpoint/contracts/bus/subjects"
import { contractsOf } from "@matchpoint/contracts/game/LiveContract"
import type { Cursor } from "@matchpoint/contracts/stream/cursors"
import { ALL, matchRoom, parseRoom } from "@matchpoint/contracts/stream/rooms"
import { cs2Live } from "@matchpoint/cs2/contract/cs2Live"
import type { ServerMessage } from "@matchpoint/cs2/contract/serverMessages"
import { matchId } from "@matchpoint/cs2/rules/ids"
import type { MatchId } from "@matchpoint/domain/ids"
import { LiveRooms } from "@matchpoint/realtime/LiveRooms"
import type { OlderFrames } from "@matchpoint/realtime/SessionConnection"
import { Interest, LINGER_MS, partOf } from "@matchpoint/service-gateway/live/Interest"
import { PromptReading } from "@matchpoint/service-gateway/live/PromptReading"
import { RecordIntake } from "@matchpoint/service-gateway/live/RecordIntake"
import { newestFor, readLive, type Tier } from "@matchpoint/service-gateway/live/readLive"
import { Clock, Context, Effect, Fiber, Schema, Stream } from "effect"
import { TestClock } from "effect/testing"
import { assertTranscript, bounds, Client, lastSeqs, world } from "../../../packages/realtime/test/session/model.ts"
import { liveRecords } from "../../fixtures/clients/liveRecords.ts"
import { play } from "../../fixtures/edge.ts"

const memoryLog = EventLogMemory.layer({ streams })

const RING = 1_000
/** Matches of four partitions: the first and the last one are in the same. */
const matches = [1, 2, 3, 4, 65].map(matchId)
const rooms = [...matches.map(matchRoom), ALL]
const games = contractsOf([cs2Live])

const records = new Map(matches.map((match, index) => [match, liveRecords(90 + index, match, 3_500)]))

/** Publishes the next frames of matches, and list entries. */
const opened = () => {
  const played = new Map<MatchId, number>()
  const seqOf = (match: MatchId): number => played.get(match) ?? 0
  const playNext = (match: MatchId, count: number) =>
    Effect.suspend(() => {
      const from = seqOf(match)
      played.set(match, from + count)
      return play(records.get(match)?.slice(from, from + count) ?? [])
    })
  return { playNext, seqOf }
}

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
      const { playNext } = opened()
      const [one, two] = [matchId(1), matchId(2)]
      yield* playNext(one, 40)
      yield* playNext(two, 5)
      const { edge, interest, passedOn, tier } = yield* followedTier
      const log = yield* EventLog
      assert.deepStrictEqual(
        edge.rooms.known().map(({ newest }) => newest?.seq),
        [40, 5],
      )
      yield* playNext(one, 3)
      yield* settled
      assert.deepStrictEqual([edge.rooms.get(one)?.newest?.seq, edge.rooms.get(one)?.ring.size, passedOn.length], [43, 1, 0])
      assert.strictEqual(yield* newestFor(tier, log, 0), tier.live.passed)

      let isRead = false
      interest.whenRead([partitionOf(one)], () => (isRead = true))
      yield* settled
      assert.isTrue(isRead)
      assert.deepStrictEqual([edge.rooms.get(one)?.newest?.seq, edge.rooms.get(one)?.ring.size], [43, 43])
      assert.isUndefined(edge.rooms.get(one)?.newest?.missing)
      yield* playNext(one, 1)
      yield* playNext(two, 1)
      yield* settled
      assert.deepStrictEqual(passedOn, [liveSubject(one)])
      assert.deepStrictEqual([edge.rooms.get(one)?.newest?.seq, edge.rooms.get(two)?.ring.size], [44, 1])
      assert.strictEqual(yield* newestFor(tier, log, 0), tier.live.passed)

      // A minute after its last use, the partition is no longer read.
      yield* TestClock.adjust(LINGER_MS + 20_000)
      yield* playNext(one, 2)
      yield* settled
      assert.deepStrictEqual([interest.read, edge.rooms.get(one)?.newest?.seq, edge.rooms.get(one)?.ring.size], [new Set(), 46, 1])
    }).pipe(Effect.scoped, Effect.provide(memoryLog)),
  )

  const Step = Schema.Union([
    Schema.TaggedStruct("Append", { match: Schema.Literals([0, 1, 2, 3, 4]), count: Schema.Literals([1, 2, 40]) }),
    Schema.TaggedStruct("Follow", { client: Schema.Literals([0, 1]), room: Schema.Literals([0, 1, 2, 3, 4, 5]), resumes: Schema.Boolean }),
    Schema.TaggedStruct("Leave", { client: Schema.Literals([0, 1]), room: Schema.Literals([0, 1, 2, 3, 4, 5]) }),
    Schema.TaggedStruct("Wait", { ms: Schema.Literals([1, 5, 12, LINGER_MS * 2]) }),
  ])

  it.effect.prop(
    "loses, repeats and reorders nothing",
    { steps: Schema.Array(Step).check(Schema.isMinLength(15), Schema.isMaxLength(80)) },
    ({ steps }) =>
      Effect.gen(function* () {
        const { playNext, seqOf } = opened()
        for (const match of matches) {
          yield* playNext(match, 3)
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
              yield* playNext(matches[step.match] ?? assert.fail(), step.count)
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
        for (const match of matches) yield* playNext(match, 1)
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
    { arbitrary: { runs: 150 } },
  )
})
