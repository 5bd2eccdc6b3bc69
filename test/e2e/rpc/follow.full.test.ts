/** Follows matches over the gateway's RPC: real sockets, both transports, clients built from the contract. */
import { assert, describe, it } from "@effect/vitest"
import { EventLog } from "@matchpoint/bus/EventLog"
import { decodeAnnouncement } from "@matchpoint/contracts/bus/feed"
import { DIRECTORY, directorySubject, FEED, feedSubject } from "@matchpoint/contracts/bus/subjects"
import type { MatchCursor } from "@matchpoint/contracts/rpc/errors"
import { applyPatch } from "@matchpoint/contracts/stream/compact/mergePatch"
import type { CompactMatch } from "@matchpoint/cs2/contract/CompactMatch"
import { compactOf } from "@matchpoint/cs2/contract/compactOf"
import { decodeFeedEvent } from "@matchpoint/cs2/contract/feed"
import { SNAPSHOT } from "@matchpoint/cs2/contract/frames"
import { matchId } from "@matchpoint/cs2/rules/ids"
import { CS2 } from "@matchpoint/cs2/rules/live/cs2Rules"
import { Clock, Deferred, Effect, Exit, Fiber, Layer, Option, Result, Scope, Stream } from "effect"
import { eventually, followersAre, isAt, pro, range, seqs, smallRings } from "../../fixtures/rpcFollowers.ts"
import {
  FEED_TOKEN,
  keyOf,
  liveRecords,
  MAIN_FEED_TOKEN,
  publish,
  RpcHost,
  rpcClient,
  rpcStack,
  type Transport,
} from "../../fixtures/rpcStack.ts"
import { finalDocument } from "../../fixtures/simulated.ts"

it.live("lists every game for a client that sends no payload, such as one from before games existed", () =>
  Effect.gen(function* () {
    const id = matchId(7_020)
    yield* publish(id, liveRecords(1, id).slice(0, 3))
    yield* isAt(id, 3)
    const host = yield* RpcHost
    const call = { _tag: "Request", id: "1", tag: "ListLive", payload: null, headers: [] }
    const response = yield* Effect.promise(() =>
      fetch(`http://${host}/rpc`, { method: "POST", headers: pro, body: `${JSON.stringify(call)}\n` }),
    )
    const answer = JSON.parse(yield* Effect.promise(() => response.text()))
    assert.deepInclude(answer, { _tag: "Exit", requestId: "1" })
    assert.strictEqual(answer.exit.value[0].match.matchId, id)
  }).pipe(Effect.provide(rpcStack())),
)

describe.each<Transport>(["websocket", "http"])("over %s", (transport) => {
  it.live("lists matches, returns a state, and follows from the newest frame to the end of the match", () =>
    Effect.gen(function* () {
      const [id, other] = [matchId(7_001), matchId(7_002)]
      const records = liveRecords(1, id)
      yield* publish(id, records.slice(0, 10))
      yield* publish(other, liveRecords(2, other).slice(0, 5))
      yield* isAt(other, 5)
      const client = yield* rpcClient(transport, pro)
      const list = yield* client.ListLive({ game: CS2 })
      assert.deepStrictEqual(
        list.map(({ match, cursor }) => [match.matchId, cursor]),
        [
          [id, { epoch: 1, seq: 10 }],
          [other, { epoch: 1, seq: 5 }],
        ],
      )
      const state = yield* client.GetState({ matchId: id })
      assert.deepStrictEqual(state.cursor, { epoch: 1, seq: 10 })
      assert.deepStrictEqual(state.match, finalDocument(records.slice(0, 10).map(({ event }) => event)))

      const following = yield* Effect.forkChild(Stream.runCollect(client.Follow({ matchId: id })))
      yield* followersAre(1)
      yield* publish(id, records.slice(10))
      const frames = yield* Fiber.join(following)
      assert.deepStrictEqual(seqs(frames), range(10, records.length))
      assert.deepStrictEqual(frames.at(-1)?.data, finalDocument(records.map(({ event }) => event)))
      assert.isTrue(frames.every((frame) => frame.matchId === id))
      yield* followersAre(0)
    }).pipe(Effect.provide(rpcStack())),
  )

  it.live("resumes from a cursor with every frame exactly once", () =>
    Effect.gen(function* () {
      const id = matchId(7_003)
      const records = liveRecords(3, id)
      yield* publish(id, records.slice(0, 200))
      yield* isAt(id, 200)
      const received: Array<number> = []
      let from: MatchCursor = { epoch: 1, seq: 0 }
      for (const take of [1, 15, 16, 17, 60]) {
        const client = yield* rpcClient(transport, pro)
        const frames = yield* client.Follow({ matchId: id, from }).pipe(Stream.take(take), Stream.runCollect, Effect.scoped)
        received.push(...seqs(frames))
        from = { epoch: 1, seq: received.at(-1) ?? 0 }
      }
      assert.deepStrictEqual(received, range(1, 109))
    }).pipe(Effect.provide(rpcStack())),
  )

  it.live("sends deltas whose patches yield the document", () =>
    Effect.gen(function* () {
      const id = matchId(7_004)
      const records = liveRecords(4, id)
      yield* publish(id, records.slice(0, 40))
      yield* isAt(id, 40)
      const client = yield* rpcClient(transport, pro)
      const following = yield* Effect.forkChild(Stream.runCollect(client.FollowDeltas({ matchId: id })))
      yield* followersAre(1)
      yield* publish(id, records.slice(40))
      const [snapshot, ...deltas] = yield* Fiber.join(following)
      if (snapshot?.type !== SNAPSHOT) return assert.fail("the stream does not begin with a snapshot")
      let document: CompactMatch = snapshot.data
      for (const delta of deltas) if (delta.type !== SNAPSHOT) document = applyPatch(document, delta.patch)
      assert.deepStrictEqual(seqs(deltas), range(41, records.length))
      assert.deepStrictEqual(document, compactOf(finalDocument(records.map(({ event }) => event))))
    }).pipe(Effect.provide(rpcStack())),
  )

  it.live("answers a cursor older than the stored frames with the cursor to resume from", () =>
    Effect.gen(function* () {
      const id = matchId(7_005)
      yield* publish(id, liveRecords(5, id).slice(0, 50))
      yield* isAt(id, 50)
      const client = yield* rpcClient(transport, pro)
      const gone = yield* client.Follow({ matchId: id, from: { epoch: 1, seq: 3 } }).pipe(Stream.runCollect, Effect.flip)
      if (gone._tag !== "FramesGone") return assert.fail(gone._tag)
      assert.deepStrictEqual(
        [gone.cursor, gone.resume],
        [
          { epoch: 1, seq: 3 },
          { epoch: 1, seq: 42 },
        ],
      )
      const rest = yield* client.Follow({ matchId: id, from: gone.resume }).pipe(Stream.take(8), Stream.runCollect)
      assert.deepStrictEqual(seqs(rest), range(43, 50))
    }).pipe(Effect.provide(rpcStack(smallRings))),
  )

  it.live("ends a follower that is too slow with its position; the frames it received have no gap", () =>
    Effect.gen(function* () {
      const id = matchId(7_006)
      const records = liveRecords(6, id)
      yield* publish(id, records.slice(0, 1))
      yield* isAt(id, 1)
      const client = yield* rpcClient(transport, pro)
      const received: Array<number> = []
      const reads = yield* Deferred.make<void>()
      const following = yield* client.Follow({ matchId: id }, { streamBufferSize: 1 }).pipe(
        Stream.runForEach(({ seq }) => {
          received.push(seq)
          return received.length === 1 ? Effect.void : Deferred.await(reads)
        }),
        Effect.flip,
        Effect.forkChild,
      )
      yield* followersAre(1)
      yield* publish(id, records)
      yield* isAt(id, records.length)
      yield* Deferred.succeed(reads, undefined)
      const gone = yield* Fiber.join(following)
      if (gone._tag !== "FramesGone") return assert.fail(gone._tag)
      assert.deepStrictEqual(received, range(1, gone.cursor.seq))
      assert.strictEqual(gone.resume.seq, records.length - 8)
      yield* followersAre(0)
    }).pipe(Effect.provide(rpcStack(smallRings))),
  )

  it.live("stops following when the client stops reading or disconnects", () =>
    Effect.gen(function* () {
      const id = matchId(7_007)
      const records = liveRecords(7, id)
      yield* publish(id, records.slice(0, 20))
      yield* isAt(id, 20)
      const client = yield* rpcClient(transport, pro)
      yield* client.Follow({ matchId: id }).pipe(Stream.take(1), Stream.runDrain)
      yield* followersAre(0)

      const interrupted = yield* Effect.forkChild(Stream.runDrain(client.Follow({ matchId: id })))
      yield* followersAre(1)
      yield* Fiber.interrupt(interrupted)
      yield* followersAre(0)

      const connection = yield* Scope.make()
      const leaving = yield* rpcClient(transport, pro).pipe(Scope.provide(connection))
      yield* Effect.forkIn(Stream.runDrain(leaving.Follow({ matchId: id })), connection)
      yield* followersAre(1)
      yield* Scope.close(connection, Exit.void)
      yield* followersAre(0)
    }).pipe(Effect.provide(rpcStack())),
  )

  it.live("limits a delayed plan to data old enough for it", () =>
    Effect.gen(function* () {
      const id = matchId(7_008)
      const records = liveRecords(8, id)
      yield* publish(id, records.slice(0, 30))
      yield* isAt(id, 30)
      const client = yield* rpcClient(transport, { authorization: `Bearer ${keyOf("free")}` })
      assert.deepStrictEqual(yield* client.ListLive({ game: CS2 }), [])
      assert.strictEqual((yield* Effect.flip(client.GetState({ matchId: id })))._tag, "UnknownMatch")
      assert.strictEqual((yield* Effect.flip(Stream.runDrain(client.Follow({ matchId: id }))))._tag, "UnknownMatch")
      assert.strictEqual((yield* Effect.flip(Stream.runDrain(client.FollowDeltas({ matchId: id }))))._tag, "UnknownMatch")

      yield* eventually(Effect.map(client.ListLive({ game: CS2 }), (list) => list.length === 1))
      const frames = client.Follow({ matchId: id, from: { epoch: 1, seq: 0 } }).pipe(
        Stream.take(60),
        Stream.mapEffect((frame) => Effect.map(Clock.currentTimeMillis, (now) => ({ frame, age: now - Date.parse(frame.publishedAt) }))),
        Stream.runCollect,
      )
      const following = yield* Effect.forkChild(frames)
      yield* followersAre(1)
      yield* publish(id, records.slice(30, 60))
      const aged = yield* Fiber.join(following)
      assert.deepStrictEqual(seqs(aged.map(({ frame }) => frame)), range(1, 60))
      assert.isTrue(aged.every(({ age }) => age >= 1_000))
    }).pipe(Effect.provide(rpcStack((settings) => ({ ...settings, delaySeconds: 1 })))),
  )

  it.live("appends facts with the feed token durably, once, and only for announced matches", () =>
    Effect.gen(function* () {
      const id = matchId(7_009)
      const [created, next, another] = liveRecords(9, id).map(({ event }) => event)
      if (created === undefined || next === undefined || another === undefined) return assert.fail("the match has no facts")
      const log = yield* EventLog
      const unauthorized = yield* rpcClient(transport, pro)
      assert.strictEqual((yield* Effect.flip(unauthorized.AppendEvent(created)))._tag, "FeedTokenRefused")
      const wrong = yield* rpcClient(transport, { ...pro, "x-feed-token": "no" })
      assert.strictEqual((yield* Effect.flip(wrong.AppendEvent(created)))._tag, "FeedTokenRefused")
      assert.isTrue(Option.isNone(yield* log.last(FEED, feedSubject(id))))

      const feed = yield* rpcClient(transport, { ...pro, "x-feed-token": FEED_TOKEN })
      assert.strictEqual((yield* Effect.flip(feed.AppendEvent(next)))._tag, "UnknownMatch")
      const first = yield* feed.AppendEvent(created)
      assert.isFalse(first.duplicate)
      const second = yield* feed.AppendEvent(next)
      assert.deepStrictEqual(second, { sequence: first.sequence + 1, duplicate: false })
      assert.deepStrictEqual(yield* feed.AppendEvent(next), { sequence: second.sequence, duplicate: true })
      const kept = Option.getOrThrow(yield* log.last(FEED, feedSubject(id)))
      assert.deepStrictEqual(decodeFeedEvent(kept.data), Result.succeed(next))
      // The other feed may use the same ids for its own facts.
      const fromBackup = yield* feed.AppendEvent({ ...next, source: "backup" })
      assert.deepStrictEqual(fromBackup, { sequence: second.sequence + 1, duplicate: false })
      const announced = Option.getOrThrow(yield* log.last(DIRECTORY, directorySubject(id)))
      assert.strictEqual((yield* decodeAnnouncement(new TextDecoder().decode(announced.data))).matchId, id)
    }).pipe(Effect.provide(rpcStack())),
  )

  it.live("accepts facts for existing matches from a source's feed token, but creates none", () =>
    Effect.gen(function* () {
      const id = matchId(7_012)
      const [created, next] = liveRecords(12, id).map(({ event }) => event)
      if (created === undefined || next === undefined) return assert.fail("the match has no facts")
      const log = yield* EventLog
      const main = yield* rpcClient(transport, { ...pro, "x-feed-token": MAIN_FEED_TOKEN })
      const refused = yield* Effect.flip(main.AppendEvent(created))
      assert.strictEqual(refused._tag, "FeedTokenRefused")
      assert.include(refused.message, "this feed token is for source main; creating a match needs the token of MATCHPOINT_FEED_TOKEN")
      assert.isTrue(Option.isNone(yield* log.last(FEED, feedSubject(id))))
      assert.isTrue(Option.isNone(yield* log.last(DIRECTORY, directorySubject(id))))

      const operator = yield* rpcClient(transport, { ...pro, "x-feed-token": FEED_TOKEN })
      yield* operator.AppendEvent(created)
      assert.isFalse((yield* main.AppendEvent(next)).duplicate)
      assert.strictEqual((yield* Effect.flip(main.AppendEvent({ ...next, source: "backup" })))._tag, "FeedTokenRefused")
    }).pipe(Effect.provide(rpcStack())),
  )

  it.live("serves many streams on one connection while they catch up", () =>
    Effect.gen(function* () {
      const id = matchId(7_011)
      yield* publish(id, liveRecords(11, id).slice(0, 100))
      yield* isAt(id, 100)
      const client = yield* rpcClient(transport, pro)
      const caughtUp = client.Follow({ matchId: id, from: { epoch: 1, seq: 0 } }).pipe(Stream.take(100), Stream.runCollect)
      for (const frames of yield* Effect.all(
        Array.from({ length: 40 }, () => caughtUp),
        { concurrency: "unbounded" },
      )) {
        assert.deepStrictEqual(seqs(frames), range(1, 100))
      }
      yield* followersAre(0)
    }).pipe(Effect.provide(rpcStack())),
  )

  it.live("ends its followers when the server stops", () =>
    Effect.gen(function* () {
      const id = matchId(7_010)
      const server = yield* Scope.make()
      const stack = yield* Layer.build(rpcStack()).pipe(Scope.provide(server))
      yield* Effect.gen(function* () {
        yield* publish(id, liveRecords(10, id).slice(0, 5))
        yield* isAt(id, 5)
        const client = yield* rpcClient(transport, pro)
        const following = yield* Effect.forkChild(Effect.exit(Stream.runDrain(client.Follow({ matchId: id }))))
        yield* followersAre(1)
        yield* Scope.close(server, Exit.void)
        const exit = yield* Fiber.join(following)
        assert.isTrue(Exit.isFailure(exit))
      }).pipe(Effect.provideContext(stack))
    }),
  )
})
