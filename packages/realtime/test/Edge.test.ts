/** Tests of an edge beyond sending records: building shape v1 on demand, and unreadable records. */
import { assert, describe, it } from "@effect/vitest"
import type { Shape } from "@matchpoint/contracts/stream/frames"
import { ALL, matchRoom } from "@matchpoint/contracts/stream/rooms"
import { gameName } from "@matchpoint/domain/ids"
import { Edge } from "../src/Edge.ts"
import { type Frame, frameOfRecord } from "../src/Frame.ts"
import { UnreadableFrame } from "../src/FrameViews.ts"
import { LiveRooms } from "../src/LiveRooms.ts"
import { OlderViews } from "../src/OlderViews.ts"
import { broken, frame, id, record } from "./frames.ts"
import { bounds, Client, world } from "./session/model.ts"
import { testGame } from "./testGame.ts"

const follower = (edge: ReturnType<typeof world>["edge"], shape: Shape, room = matchRoom(id)) => {
  const client = new Client(edge, { shape, pace: "immediate", policy: "conflate", capacity: 1_000 })
  client.session.enter(room, room === ALL ? undefined : id, shape, "immediate", undefined)
  client.session.begin()
  return client
}

/**
 * Frames 1 to `count`, each based on the previous one, with a keyframe every eighth. `read` is called whenever shape v1
 * is built.
 */
const chain = (count: number, read: () => void): ReadonlyArray<Frame> => {
  const counting = {
    ...testGame,
    fullText: (state: Parameters<typeof testGame.fullText>[0]) => {
      read()
      return testGame.fullText(state)
    },
  }
  const games = new Map([[counting.game as string, counting]])
  return Array.from({ length: count }, (_, index) => {
    const seq = index + 1
    const kind = seq === 1 ? "first" : seq % 8 === 0 ? "keyframe" : "change"
    return frameOfRecord(record(seq, { kind }), games) ?? assert.fail("not a frame")
  })
}

describe("shape v1", () => {
  it("is built once per frame, and only for matches followed in it", () => {
    let made = 0
    const frames = chain(30, () => {
      made += 1
    })
    const { edge, clients } = world(100)
    for (const one of frames.slice(0, 10)) edge.accept(one)
    clients.push(follower(edge, "v2"), follower(edge, "v2"))
    for (const one of frames.slice(10, 20)) edge.accept(one)
    assert.strictEqual(made, 0)
    clients.push(...Array.from({ length: 5 }, () => follower(edge, "v1")))
    for (const one of frames.slice(20)) edge.accept(one)
    // The snapshot of the newest frame, and ten updates.
    assert.strictEqual(made, 11)
    for (const client of clients.slice(2)) assert.strictEqual(client.received.filter(({ type }) => type === "cs2.live.update").length, 10)
  })

  it("is rebuilt for older frames from the nearest keyframe, step by step, once for all readers", () => {
    let made = 0
    const frames = chain(100, () => {
      made += 1
    })
    const { edge } = world(200)
    for (const one of frames) edge.accept(one)
    const older = new OlderViews(64)
    for (let reader = 0; reader < 20; reader++) {
      for (const one of frames.slice(40, 80))
        assert.deepInclude(JSON.parse(new TextDecoder().decode(older.of(one).update)).data, { n: one.seq })
    }
    assert.strictEqual(made, 40)
    // The first frame directly follows a keyframe; each later one is based on the previous one.
    assert.isAtMost(older.built, 42)
    for (const one of frames.slice(0, 99)) older.of(one)
    assert.isAtMost(older.size, 64)
  })
})

describe("an unreadable change", () => {
  it("resets the match's followers once, and announces the missing frames at the next readable one", () => {
    const { edge, clients } = world(100)
    for (const one of chain(3, () => {})) edge.accept(one)
    const one = follower(edge, "v2")
    const all = follower(edge, "v1", ALL)
    clients.push(one, all)
    const before = [one.received.length, all.received.length]
    edge.handleUnreadable(id)
    edge.handleUnreadable(id)
    const since = [one, all].map((client, index) => client.received.slice(before[index]).map((message) => message.type))
    assert.deepStrictEqual(since, [
      ["resumed", "cs2.live.snapshot"],
      ["resumed", "cs2.live.snapshot"],
    ])
    assert.deepInclude(one.received[before[0] ?? 0], { room: matchRoom(id), verdict: "reset" })
    assert.deepInclude(all.received[before[1] ?? 0], { room: ALL, verdict: "reset" })
    assert.isFalse(edge.accept(frame(5, { kind: "change" })))
    assert.isTrue(edge.accept(frame(8)))
    assert.deepInclude(one.received.at(-2), { type: "gap", reason: "log", missing: [{ matchId: id, epoch: 1, from: 4, to: 7 }] })
    assert.deepInclude(one.received.at(-1), { type: "cs2.live.snapshot", seq: 8 })
  })
})

describe("a record that cannot be parsed", () => {
  it("interrupts only the clients that need its state, until the next keyframe", () => {
    const { edge, clients } = world(100)
    edge.accept(frame(1))
    const [full, deltas] = [follower(edge, "v1"), follower(edge, "v2")]
    clients.push(full, deltas)
    assert.throws(() => edge.accept(broken(frame(2, { kind: "change" }))), UnreadableFrame)
    assert.throws(() => edge.accept(frame(3, { kind: "change" })), UnreadableFrame)
    assert.strictEqual(edge.servedTo("immediate"), 3)
    edge.accept(frame(4))
    assert.deepInclude(full.received.at(-1), { type: "cs2.live.update", seq: 4 })
    assert.deepInclude(deltas.received.at(-1), { type: "cs2.live.delta", seq: 4 })
  })
})

describe("a game", () => {
  it("has its own ring without the matches of other games", () => {
    const { edge } = world(100)
    for (const one of chain(3, () => {})) edge.accept(one)
    assert.strictEqual(edge.rooms.allOf(gameName("cs2")).size, 3)
    assert.strictEqual(edge.rooms.allOf(gameName("tennis")).size, 0)
  })
})

describe("while frames are passed to channels", () => {
  it("reports no frame as served before it was passed on, even if a transport reports a skipped client meanwhile", () => {
    const asked: Array<readonly [string, number, number]> = []
    const edge: Edge = new Edge(new LiveRooms(bounds(100)), 0, {
      publish: (topic) => {
        asked.push([topic, edge.servedTo("adaptive"), edge.servedTo("immediate")])
        return true
      },
      publishSse: () => 0,
    })
    const [adaptive, immediate] = [edge.channels.open(matchRoom(id), "v2", "adaptive"), edge.channels.open(ALL, "v2", "immediate")]
    for (const channel of [adaptive, immediate]) channel.sockets = 1
    edge.windowMs = 20
    for (const one of chain(3, () => undefined)) edge.accept(one)
    edge.flush()
    const served = (topic: string) => asked.filter(([name]) => name === topic).map(([, ...positions]) => positions)
    // The immediate channel gets each frame at once, while the adaptive channel waits. Then the adaptive channel gets
    // all three.
    assert.deepStrictEqual(
      served(immediate.topic).map(([, at]) => at),
      [0, 1, 2],
    )
    assert.deepStrictEqual(served(adaptive.topic), [
      [0, 3],
      [1, 3],
      [2, 3],
    ])
    assert.deepStrictEqual([edge.servedTo("adaptive"), edge.servedTo("immediate")], [3, 3])
  })
})

describe("an edge whose log was lost", () => {
  it("starts with empty rooms, tells its clients, and shows each match again with its first record", () => {
    const { edge, clients } = world(100)
    for (let seq = 1; seq <= 5; seq += 1) edge.accept(frame(seq))
    clients.push(follower(edge, "v2"), follower(edge, "v2", ALL))
    edge.startOver()
    assert.deepStrictEqual([edge.rooms.size, edge.rooms.position, edge.rooms.dueTo], [0, 0, 0])
    const next = frame(6, { kind: "keyframe", position: 1 })
    assert.isTrue(edge.accept(next))
    for (const { received } of clients) {
      const [resumed] = received.filter(({ type }) => type === "resumed").slice(-1)
      assert.include(resumed, { verdict: "reset" })
      assert.include(received.at(-1), { type: "cs2.live.snapshot" })
    }
  })

  it("does not show the record that had the same position before", () => {
    const older = new OlderViews()
    const rooms = new LiveRooms(bounds(100), older)
    const before = frame(1, { kind: "first", position: 1 })
    const views = older.of(before)
    rooms.startOver()
    const after = frame(2, { kind: "keyframe", position: 1 })
    assert.strictEqual(older.of(before), views)
    assert.notStrictEqual(older.of(after), views)
  })
})
