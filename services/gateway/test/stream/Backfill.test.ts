/** Resumes from the log: slow clients, clients beyond the limit, and a log that does not answer. */
import { assert, it } from "@effect/vitest"
import { EventLog } from "@matchpoint/bus/EventLog"
import { allLive, LIVE } from "@matchpoint/contracts/bus/subjects"
import { matchRoom } from "@matchpoint/contracts/stream/rooms"
import type { ServerMessage } from "@matchpoint/cs2/contract/serverMessages"
import { GatewayConfig } from "@matchpoint/game/edge/GatewayConfig"
import { ClientSession } from "@matchpoint/realtime/ClientSession"
import { Edge } from "@matchpoint/realtime/Edge"
import { frameOfRecord } from "@matchpoint/realtime/Frame"
import { LiveRooms } from "@matchpoint/realtime/LiveRooms"
import type { SessionConnection } from "@matchpoint/realtime/SessionConnection"
import { Context, Effect, Layer, Stream } from "effect"
import { TestClock } from "effect/testing"
import { LiveGames } from "../../src/live/LiveGames.ts"
import { Backfill } from "../../src/stream/Backfill.ts"
import { frames, games, liveLog, id as one, store } from "../replay/storedMatch.ts"

const FRAMES = 200
const READS_AT_ONCE = 16

/** An edge that keeps five frames of a match. The log has all frames. */
class SmallEdge extends Context.Service<SmallEdge, Edge>()("@matchpoint/service-gateway/test/stream/Backfill.test/SmallEdge") {}

const Edges = Layer.effect(
  SmallEdge,
  Effect.gen(function* () {
    const log = yield* EventLog
    const ring = { frames: 5, bytes: 1e9, ageMs: 1e12 }
    const edge = new Edge(new LiveRooms({ match: ring, all: ring, totalBytes: 1e9 }), 0, { publish: () => true, publishSse: () => 0 })
    yield* store(frames(FRAMES))
    yield* Stream.runForEach(log.read(LIVE, allLive, { _tag: "First" }), (record) =>
      Effect.sync(() => {
        const frame = frameOfRecord(record, games)
        if (frame !== undefined) edge.accept(frame)
      }),
    )
    return SmallEdge.of(edge)
  }),
)

const layerOn = (log: Layer.Layer<EventLog>, deepResumes: number) =>
  Backfill.layer.pipe(
    Layer.provideMerge(Edges),
    Layer.provide(Layer.succeed(LiveGames, games)),
    Layer.provide(log),
    Layer.provide(
      Layer.effect(
        GatewayConfig,
        Effect.map(GatewayConfig, (defaults) => ({ ...defaults, deepResumes })),
      ),
    ),
  )

const MemoryLog = Layer.orDie(liveLog())

/** A log that answers the edge's own reading from the start, but not the reading of older frames. */
const HangingLog = Layer.effect(
  EventLog,
  Effect.map(EventLog, (log) => {
    let reads = 0
    return EventLog.of({ ...log, read: (...asked) => (reads++ === 0 ? log.read(...asked) : Stream.never) })
  }),
).pipe(Layer.provide(MemoryLog))

/** A client that reads as many frames as the test wants. */
class Client {
  room = Number.POSITIVE_INFINITY
  readonly seqs: Array<number> = []
  readonly sent: Array<ServerMessage> = []
  readonly session: ClientSession

  constructor(edge: Edge, older: Backfill["Service"]) {
    const outlet: SessionConnection = {
      knowsSnapshots: true,
      frame: (_kind, { seq }) => {
        this.room -= 1
        this.seqs.push(seq)
      },
      sendControl: (message) => this.sent.push(message) > 0,
      join: () => {},
      leave: () => {},
      hasRoom: () => this.room > 0,
      endSlow: () => {},
    }
    this.session = new ClientSession({ edge, outlet, shape: "v1", pace: "immediate", policy: "conflate", older, now: () => 0 })
  }

  resume(seq: number): void {
    this.session.enter(matchRoom(one), one, "v1", "immediate", { epoch: 1, seq })
    this.session.begin()
  }

  get verdicts(): ReadonlyArray<string> {
    return this.sent.flatMap((message) => (message.type === "resumed" ? [message.verdict] : []))
  }
}

const connecting = Effect.gen(function* () {
  const edge = yield* SmallEdge
  const backfill = yield* Backfill
  return (room = Number.POSITIVE_INFINITY) => {
    const client = new Client(edge, backfill)
    client.room = room
    client.resume(1)
    return client
  }
})

const all = Array.from({ length: FRAMES - 1 }, (_, index) => index + 2)

it.effect("sends every frame to slow clients without delaying other clients", () =>
  Effect.gen(function* () {
    const connect = yield* connecting
    const slow = Array.from({ length: 2 * READS_AT_ONCE }, () => connect(1))
    yield* TestClock.adjust("1 second")
    const quick = connect()
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual(quick.verdicts, ["recovered"])
    assert.deepStrictEqual(quick.seqs, all)
    for (const client of slow) {
      assert.deepStrictEqual([client.verdicts, client.seqs], [["recovered"], [2]])
      client.room = Number.POSITIVE_INFINITY
      client.session.drained()
    }
    yield* TestClock.adjust("1 second")
    for (const client of slow) assert.deepStrictEqual(client.seqs, all)
  }).pipe(Effect.provide(layerOn(MemoryLog, 100))),
)

it.effect("answers `reset` to clients beyond the limit, until another client has finished", () =>
  Effect.gen(function* () {
    const connect = yield* connecting
    const slow = Array.from({ length: 3 }, () => connect(1))
    const refused = connect()
    assert.deepStrictEqual([refused.verdicts, refused.seqs], [["reset"], [FRAMES]])
    assert.strictEqual(refused.sent.at(-1)?.type, "caught_up")
    slow[0]?.session.close()
    yield* TestClock.adjust("1 second")
    const next = connect()
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual([next.verdicts, next.seqs], [["recovered"], all])
  }).pipe(Effect.provide(layerOn(MemoryLog, 3))),
)

it.effect("frees the place of a client that leaves the room", () =>
  Effect.gen(function* () {
    const connect = yield* connecting
    const slow = connect(1)
    slow.session.unfollow(matchRoom(one))
    yield* TestClock.adjust("1 second")
    const next = connect()
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual([next.verdicts, next.seqs], [["recovered"], all])
  }).pipe(Effect.provide(layerOn(MemoryLog, 1))),
)

it.effect("resets the client but keeps its stream if the log does not answer", () =>
  Effect.gen(function* () {
    const connect = yield* connecting
    const client = connect()
    yield* TestClock.adjust("9 seconds")
    assert.deepStrictEqual(client.verdicts, [])
    yield* TestClock.adjust("2 seconds")
    assert.deepStrictEqual([client.verdicts, client.seqs], [["reset"], [FRAMES]])
  }).pipe(Effect.provide(layerOn(HangingLog, 1))),
)
