/** Other services against the gateway's RPC: real sockets, both transports, clients built from the contract. */
import { execFile } from "node:child_process"
import { readFile } from "node:fs/promises"
import { inspect, promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { EventLog } from "@matchpoint/bus/EventLog"
import { decodeAnnouncement } from "@matchpoint/contracts/bus/feed"
import { DIRECTORY, directorySubject, FEED, feedSubject } from "@matchpoint/contracts/bus/subjects"
import type { CompactMatch } from "@matchpoint/contracts/cs2/CompactMatch"
import { compactOf } from "@matchpoint/contracts/cs2/compactOf"
import { decodeFeedEvent } from "@matchpoint/contracts/cs2/feed"
import { SNAPSHOT } from "@matchpoint/contracts/cs2/frames"
import type { MatchCursor } from "@matchpoint/contracts/rpc/errors"
import { applyPatch } from "@matchpoint/contracts/stream/compact/mergePatch"
import { matchId } from "@matchpoint/domain/cs2/ids"
import { CS2 } from "@matchpoint/domain/cs2/live/cs2Rules"
import type { MatchId } from "@matchpoint/domain/ids"
import type { GatewaySettings } from "@matchpoint/service-gateway/GatewayConfig"
import { LiveHub } from "@matchpoint/service-gateway/live/LiveHub"
import { followersOpen } from "@matchpoint/service-gateway/rpc/MatchFollowers"
import { Cause, Clock, Deferred, Effect, Exit, Fiber, Layer, Metric, Option, Result, Schedule, Scope, Stream } from "effect"
import { WebSocket } from "ws"
import { followSocket } from "../fixtures/clients/followers.ts"
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
} from "../fixtures/rpcStack.ts"
import { finalDocument } from "../fixtures/simulated.ts"

const pro = { "x-api-key": keyOf("pro") }

/** Tried again until it holds; the test's own limit ends it. */
const eventually = <E, R>(check: Effect.Effect<boolean, E, R>) =>
  Effect.repeat(check, { until: (holds) => holds, schedule: Schedule.spaced("10 millis") })

/** The real-time tier has this many frames of the match. */
const isAt = (id: MatchId, seq: number) =>
  eventually(Effect.map(LiveHub, ({ realtime }) => (realtime.rooms.get(id)?.newest?.seq ?? 0) >= seq))

const followersAre = (count: number) => eventually(Effect.map(Metric.value(followersOpen), ({ value }) => value === count))

const seqs = (frames: ReadonlyArray<{ readonly seq: number }>) => frames.map(({ seq }) => seq)

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

const tagOf = <E extends { readonly _tag: string }>(exit: Exit.Exit<unknown, E>): string =>
  Exit.isSuccess(exit) ? "Success" : Result.match(Cause.findError(exit.cause), { onSuccess: ({ _tag }) => _tag, onFailure: () => "Defect" })

/** Room for few frames, so that a follower is soon too slow. */
const smallRings = ({ roomBounds, ...rest }: GatewaySettings): GatewaySettings => ({
  ...rest,
  roomBounds: { ...roomBounds, match: { ...roomBounds.match, frames: 8 } },
})

it.live("lists every game for a client that sends no payload, as those made before there were games do", () =>
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
  it.live("lists, tells the state, and follows from the newest frame to the end of the match", () =>
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

  it.live("goes on from a cursor: nothing is missing, nothing comes twice", () =>
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

  it.live("tells what changed: the patches make the document", () =>
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

  it.live("a cursor older than what is kept is told, with the one to go on from", () =>
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

  it.live("a follower that is too slow is told where it stands; what it got has no hole", () =>
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

  it.live("who stops reading, or leaves, follows no more", () =>
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

  it.live("a low plan lists, reads and follows nothing younger than it may", () =>
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

  it.live("takes facts with the feed token: durable, once, and only of announced matches", () =>
    Effect.gen(function* () {
      const id = matchId(7_009)
      const [created, next, another] = liveRecords(9, id).map(({ event }) => event)
      if (created === undefined || next === undefined || another === undefined) return assert.fail("the match has no facts")
      const log = yield* EventLog
      const stranger = yield* rpcClient(transport, pro)
      assert.strictEqual((yield* Effect.flip(stranger.AppendEvent(created)))._tag, "FeedTokenRefused")
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

  it.live("a feed token for a source reports for matches that exist, and creates none", () =>
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

  it.live("many streams share a connection, however much they have to catch up with", () =>
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

  it.live("a server that stops does not leave its followers waiting", () =>
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

describe("who may call", () => {
  it.live("over HTTP every call of a stranger fails with status 401", () =>
    Effect.gen(function* () {
      const refused = (error: unknown) => {
        assert.deepInclude(error, { _tag: "RpcClientError" })
        assert.include(inspect(error, { depth: 6 }), "401")
      }
      for (const headers of [{}, { "x-api-key": "nobody" }, { authorization: "Bearer nobody" }]) {
        const client = yield* rpcClient("http", headers)
        const id = matchId(1)
        refused(yield* Effect.flip(client.ListLive({ game: CS2 })))
        refused(yield* Effect.flip(client.GetState({ matchId: id })))
        refused(yield* Effect.flip(Stream.runDrain(client.Follow({ matchId: id }))))
        refused(yield* Effect.flip(Stream.runDrain(client.FollowDeltas({ matchId: id }))))
      }
    }).pipe(Effect.provide(rpcStack())),
  )

  it.live("a WebSocket without a valid key is not opened, and a call with another key is its own", () =>
    Effect.gen(function* () {
      const url = `ws://${yield* RpcHost}/rpc/ws`
      assert.strictEqual((yield* Effect.flip(followSocket(url))).reason, "HTTP 401")
      const stranger = { "x-api-key": "nobody" }
      for (let attempt = 1; attempt <= 2; attempt++)
        assert.strictEqual((yield* Effect.flip(followSocket(url, stranger))).reason, "HTTP 401")
      const plain = yield* Effect.promise(() => fetch(url.replace("ws://", "http://"), { headers: pro }))
      assert.strictEqual(plain.status, 426)
      const client = yield* rpcClient("websocket", pro)
      assert.strictEqual(tagOf(yield* Effect.exit(client.ListLive(null, { headers: { "x-api-key": "nobody" } }))), "CallerUnknown")
      assert.deepStrictEqual(yield* client.ListLive({ game: CS2 }), [])
    }).pipe(Effect.provide(rpcStack())),
  )

  it.live("what does not fit the contract costs its sender the call and nobody else anything", () =>
    Effect.gen(function* () {
      const url = `http://${yield* RpcHost}/rpc`
      const post = (body: string) =>
        Effect.promise(async () => {
          const answer = await fetch(url, { method: "POST", headers: { ...pro, "content-type": "application/x-ndjson" }, body })
          return { status: answer.status, text: await answer.text() }
        })
      const call = (tag: string, payload: unknown) => `${JSON.stringify({ _tag: "Request", id: "1", tag, payload, headers: [] })}\n`
      assert.include((yield* post("nonsense\n")).text, '"_tag":"Defect"')
      assert.include((yield* post(call("GetState", { matchId: 5 }))).text, '"_tag":"Die"')
      assert.include((yield* post(call("DropDatabase", {}))).text, "Unknown request tag")
      assert.isAtLeast((yield* post(call("GetState", { matchId: "x".repeat(2_000_000) }))).status, 400)
      const client = yield* rpcClient("http", pro)
      assert.deepStrictEqual(yield* client.ListLive({ game: CS2 }), [])
    }).pipe(Effect.provide(rpcStack())),
  )
})

describe("a connection that is owed more than the server holds for one", () => {
  it.live("is closed: an answer is never left out of one that stays open", () =>
    Effect.gen(function* () {
      // Many matches make an answer large: the kernel's buffers hold several megabytes.
      for (const id of range(7_030, 7_049).map(matchId)) {
        yield* publish(id, liveRecords(19, id).slice(0, 3))
        yield* isAt(id, 3)
      }
      const host = yield* RpcHost
      const socket = yield* Effect.acquireRelease(
        Effect.callback<WebSocket>((resume) => {
          const opening = new WebSocket(`ws://${host}/rpc/ws`, { headers: pro })
          opening.on("open", () => resume(Effect.succeed(opening)))
        }),
        (opening) => Effect.sync(() => opening.terminate()),
      )
      let closed: number | undefined
      socket.on("close", (code) => {
        closed = code
      })
      socket.pause()
      for (const request of range(1, 1_000)) {
        socket.send(`${JSON.stringify({ _tag: "Request", id: String(request), tag: "ListLive", payload: null, headers: [] })}\n`)
      }
      yield* eventually(
        Effect.sync(() => {
          // A client that does not read notices the end only when it writes.
          if (socket.readyState === WebSocket.OPEN) socket.ping()
          else socket.resume()
          return closed !== undefined
        }),
      )
      assert.strictEqual(closed, 1006)
      yield* followersAre(0)
    }).pipe(Effect.provide(rpcStack())),
  )
})

describe("docs/rpc.md", () => {
  it.live("its program runs", () =>
    Effect.gen(function* () {
      const id = matchId(7_020)
      const records = liveRecords(20, id)
      yield* publish(id, records.slice(0, 30))
      yield* isAt(id, 30)
      const page = yield* Effect.promise(() => readFile(new URL("../../docs/rpc.md", import.meta.url), "utf8"))
      const program = /```ts\n(.+?)```/s
        .exec(page)?.[1]
        ?.replace("localhost:8080", yield* RpcHost)
        .replace("mp_dev_pro", keyOf("pro"))
      const running = yield* Effect.forkChild(run(program ?? ""))
      yield* followersAre(1)
      yield* publish(id, records.slice(30, 50))
      assert.deepStrictEqual(
        (yield* Fiber.join(running)).match(/frame \d+/g),
        range(30, 34).map((seq) => `frame ${seq}`),
      )
    }).pipe(Effect.provide(rpcStack())),
  )
})

/** What the program prints. It finds its imports from here. */
const run = (program: string) =>
  Effect.promise(async () => {
    const directory = new URL("..", import.meta.url)
    return (await promisify(execFile)(process.execPath, ["--input-type=module-typescript", "-e", program], { cwd: directory })).stdout
  })
