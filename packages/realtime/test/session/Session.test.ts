import { assert, describe, it } from "@effect/vitest"
import type { Cursor } from "@matchpoint/contracts/stream/cursors"
import { ALL, allOf, matchRoom } from "@matchpoint/contracts/stream/rooms"
import type { ServerMessage } from "@matchpoint/cs2/contract/serverMessages"
import { matchId } from "@matchpoint/cs2/rules/ids"
import { gameName } from "@matchpoint/domain/ids"
import { Schema } from "effect"
import { Edge } from "../../src/Edge.ts"
import { LiveRooms } from "../../src/LiveRooms.ts"
import { assertTranscript, bounds, Client, lastSeqs, Matches, world } from "./model.ts"

const one = matchId(1)
const room = matchRoom(one)
const eager = { shape: "v1", pace: "adaptive", policy: "conflate", capacity: 1e6 } as const

const follow = (client: Client, name: string, cursor?: Cursor, pace: Client["session"]["pace"] = client.session.pace) => {
  client.session.enter(name, name === ALL ? undefined : one, client.session.shape, pace, cursor)
  client.session.begin()
}

const types = (client: Client): ReadonlyArray<ServerMessage["type"]> => client.received.map((message) => message.type)
const seqsOf = (client: Client): ReadonlyArray<number> => client.received.flatMap((message) => ("seq" in message ? [message.seq] : []))

const playing = (count: number, ring = 100) => {
  const { edge, clients } = world(ring)
  const matches = new Matches()
  for (let n = 0; n < count; n += 1) edge.accept(matches.next(1))
  const connect = (options: Partial<ConstructorParameters<typeof Client>[1]> = {}) => {
    const client = new Client(edge, { ...eager, ...options })
    clients.push(client)
    return client
  }
  return { edge, matches, connect, play: (n = 1) => edge.accept(matches.next(n)) }
}

describe("Session", () => {
  it("sends a snapshot, then caught_up, then frames", () => {
    const { connect, play } = playing(5)
    const client = connect()
    follow(client, room)
    play()
    assert.deepStrictEqual(types(client), ["cs2.live.snapshot", "caught_up", "cs2.live.update"])
    assert.deepStrictEqual(seqsOf(client), [5, 6])
  })

  it("resumes after a cursor without loss or repetition", () => {
    const { connect, play } = playing(9)
    const client = connect()
    follow(client, room, { epoch: 1, seq: 6 })
    play()
    assert.deepStrictEqual(types(client).slice(0, 2), ["resumed", "cs2.live.update"])
    assert.deepInclude(client.received[0], { verdict: "recovered", missing: [] })
    assert.deepStrictEqual(seqsOf(client), [7, 8, 9, 10])
  })

  it("resets a cursor of another history", () => {
    const { connect } = playing(9)
    for (const cursor of [
      { epoch: 2, seq: 3 },
      { epoch: 1, seq: 90_000 },
    ]) {
      const client = connect()
      follow(client, room, cursor)
      assert.deepInclude(client.received[0], { type: "resumed", verdict: "reset" })
      assert.deepStrictEqual(seqsOf(client), [9])
    }
    for (const cursor of [
      { epoch: 1, seq: 3 },
      { matchId: one, epoch: 1, seq: 3, position: 4 },
      { matchId: matchId(2), epoch: 1, seq: 3, position: 3 },
    ]) {
      const client = connect()
      follow(client, ALL, cursor)
      assert.deepInclude(client.received[0], { type: "resumed", verdict: "reset" })
    }
  })

  it("counts the bytes that are published to it once, and keeps the count when it changes or leaves rooms", () => {
    const { connect, play } = playing(5)
    const client = connect()
    const published = () => client.session.publishedBytes
    follow(client, room)
    assert.strictEqual(published(), 0)
    play()
    const ofOne = published()
    assert.isAbove(ofOne, 0)
    follow(client, ALL)
    assert.strictEqual(published(), ofOne)
    play()
    const ofTwo = published()
    assert.closeTo(ofTwo - ofOne, ofOne, ofOne / 2)
    client.session.skipped(undefined)
    assert.strictEqual(published(), ofTwo)
    client.session.unfollow(ALL)
    client.session.unfollow(room)
    play()
    assert.strictEqual(published(), ofTwo)
  })

  it("lets a client that is ahead wait, and repeats no frame it has", () => {
    const { connect, play } = playing(5)
    const client = connect()
    follow(client, room, { epoch: 1, seq: 7 })
    for (let n = 0; n < 4; n += 1) play()
    assert.deepStrictEqual(seqsOf(client), [8, 9])
    assert.deepStrictEqual(types(client), ["resumed", "caught_up", "cs2.live.update", "cs2.live.update"])
  })

  it("resets a client that is ahead for too long", () => {
    let now = 0
    const { connect } = playing(5)
    const client = connect({ now: () => now })
    follow(client, room, { epoch: 1, seq: 7 })
    client.session.checkTimeouts(30_000)
    assert.deepStrictEqual(types(client), ["resumed"])
    now = 10_001
    client.session.checkTimeouts(30_000)
    assert.deepStrictEqual(types(client), ["resumed", "resumed", "cs2.live.snapshot", "caught_up"])
  })

  it("sends each frame once to a client that follows `all` and a match, and continues without a gap when it leaves one", () => {
    const { connect, play } = playing(5)
    play(2)
    const client = connect()
    follow(client, room)
    play(1)
    follow(client, ALL)
    play(1)
    play(2)
    client.session.unfollow(ALL)
    client.session.begin()
    play(1)
    play(2)
    const seqs = (id: string) => client.received.flatMap((message) => ("seq" in message && message.matchId === id ? [message.seq] : []))
    assert.deepStrictEqual(seqs(one), [5, 6, 7, 8])
    assert.deepStrictEqual(seqs(matchId(2)), [1, 2])
  })

  it("sends each frame once to a client that follows all matches of a game and one of them, with or without `all`", () => {
    const { connect, matches, play } = playing(3)
    const client = connect()
    play(2)
    const ofGame = allOf(gameName("cs2"))
    const enter = (name: string) => {
      const cursor = name === room ? { epoch: 1, seq: 3 } : undefined
      client.session.enter(name, name === room ? one : undefined, "v1", "adaptive", cursor, name === ofGame ? gameName("cs2") : undefined)
      client.session.begin()
    }
    const round = () => {
      play()
      play(2)
    }
    enter(room)
    round()
    enter(ofGame)
    round()
    enter(ALL)
    round()
    client.session.unfollow(ALL)
    client.session.pump()
    round()
    client.session.unfollow(ofGame)
    client.session.pump()
    round()
    assert.deepStrictEqual(
      lastSeqs(client.received),
      new Map([
        [one, matches.newest(1)],
        [matchId(2), matches.newest(2) - 1],
      ]),
    )
    assertTranscript(client.received)
    const updates = client.received.flatMap((message) => (message.type === "cs2.live.update" ? [`${message.matchId}:${message.seq}`] : []))
    assert.strictEqual(new Set(updates).size, updates.length)
  })

  it("closes a client that takes nothing for too long, and no other", () => {
    let now = 0
    const { connect, play } = playing(5)
    const client = connect({ now: () => now, capacity: 4 })
    follow(client, room)
    for (let n = 0; n < 10; n += 1) play()
    client.reportSkipped()
    now = 29_000
    client.session.checkTimeouts(30_000)
    assert.isFalse(client.closed)
    now = 30_001
    client.session.checkTimeouts(30_000)
    assert.isTrue(client.closed)
  })

  it("sends the cursor of the last frame with its goodbye", () => {
    const { connect } = playing(5)
    const client = connect()
    follow(client, room)
    client.session.requestReconnect("draining", 1_234)
    assert.deepStrictEqual(client.received.at(-1), {
      type: "reconnect",
      reason: "draining",
      after_ms: 1_234,
      resume: { [room]: { matchId: one, epoch: 1, seq: 5, position: 5 } },
    })
  })

  it("releases its channels on close", () => {
    const { edge, connect, play } = playing(5)
    const client = connect()
    follow(client, room)
    follow(client, ALL)
    const channel = edge.channels.open(ALL, "v1", "adaptive")
    assert.isTrue(channel.hasClients)
    client.session.close()
    assert.isFalse(channel.hasClients)
    assert.notStrictEqual(edge.channels.open(ALL, "v1", "adaptive"), channel)
    play()
    assert.deepStrictEqual(seqsOf(client), [5])
  })
})

const Step = Schema.Union([
  Schema.Struct({ do: Schema.Literal("play"), match: Schema.Literals([1, 2, 3]) }),
  Schema.Struct({ do: Schema.Literal("read"), client: Schema.Literals([0, 1, 2]) }),
  Schema.Struct({ do: Schema.Literal("turn"), client: Schema.Literals([0, 1, 2]) }),
  Schema.Struct({ do: Schema.Literal("flush") }),
  Schema.Struct({ do: Schema.Literal("beat") }),
  Schema.Struct({ do: Schema.Literal("step") }),
  Schema.Struct({ do: Schema.Literal("resync"), client: Schema.Literals([0, 1, 2]) }),
  Schema.Struct({ do: Schema.Literal("window"), ms: Schema.Literals([0, 20]) }),
  Schema.Struct({ do: Schema.Literal("reconnect"), client: Schema.Literals([0, 1, 2]) }),
])

const Setup = Schema.Struct({
  shape: Schema.Literals(["v1", "v2"]),
  pace: Schema.Literals(["adaptive", "immediate", 100]),
  policy: Schema.Literals(["conflate", "catchup"]),
  room: Schema.Literals([ALL, room]),
  capacity: Schema.Literals([3, 6, 20, 1_000]),
})

describe("any interleaving of frames, slow clients, conflation, heartbeats and reconnects", () => {
  it.prop(
    "gives every client each frame once and in order, or announces a gap, and ends at the newest frame",
    {
      ring: Schema.Literals([4, 12, 1_000]),
      setups: Schema.Tuple([Setup, Setup, Setup]),
      steps: Schema.Array(Step).check(Schema.isMinLength(20), Schema.isMaxLength(120)),
    },
    ({ ring, setups, steps }) => {
      const { edge, clients } = world(ring)
      const matches = new Matches()
      for (const n of [1, 2, 3]) edge.accept(matches.next(n))
      const cursors: Array<Cursor | undefined> = [undefined, undefined, undefined]
      const before: Array<ReadonlyArray<ServerMessage>> = [[], [], []]
      const connect = (index: 0 | 1 | 2) => {
        const setup = setups[index]
        const client = new Client(edge, setup)
        clients[index] = client
        client.session.enter(setup.room, setup.room === ALL ? undefined : one, setup.shape, setup.pace, cursors[index])
        client.session.begin()
      }
      for (const index of [0, 1, 2] as const) connect(index)
      const check = (index: 0 | 1 | 2) => {
        const client = clients[index]
        if (client === undefined) return
        // One transcript across all reconnects, as long as the client could resume.
        const received = [...(before[index] ?? []), ...client.received]
        assertTranscript(setups[index].pace === 100 && setups[index].shape === "v1" ? withoutSkips(received) : received)
      }
      for (const step of steps) {
        switch (step.do) {
          case "play":
            edge.accept(matches.next(step.match))
            break
          case "read":
            clients[step.client]?.read()
            break
          case "turn":
            clients[step.client]?.reportSkipped()
            break
          case "flush":
            edge.flush()
            break
          case "beat":
            edge.heartbeat(1_000_000)
            break
          case "step":
            edge.step(100)
            break
          case "resync":
            clients[step.client]?.session.resync(setups[step.client].room)
            clients[step.client]?.session.begin()
            break
          case "window":
            edge.windowMs = step.ms
            break
          case "reconnect": {
            check(step.client)
            const client = clients[step.client]
            client?.session.close()
            const received = [...(before[step.client] ?? []), ...(client?.received ?? [])]
            cursors[step.client] = cursorIn(received)
            before[step.client] = cursors[step.client] === undefined ? [] : received
            connect(step.client)
          }
        }
      }
      edge.windowMs = 0
      edge.flush()
      for (const index of [0, 1, 2] as const) {
        for (let n = 0; n < 200; n += 1) {
          clients[index]?.read()
          edge.step(100)
        }
        check(index)
        const expected = setups[index].room === ALL ? [1, 2, 3] : [1]
        const last = lastSeqs([...(before[index] ?? []), ...(clients[index]?.received ?? [])])
        for (const n of expected)
          assert.strictEqual(last.get(matchId(n)), matches.newest(n), JSON.stringify({ index, setup: setups[index] }))
      }
    },
    { arbitrary: { runs: 500 } },
  )
})

/** A conflated v1 client gets whole documents and expects seqs to jump. */
const withoutSkips = (received: ReadonlyArray<ServerMessage>) => received.filter((message) => message.type !== "cs2.live.update")

/** Cursor from which a client may resume, as the contract defines it for `caught_up`. */
const cursorIn = (received: ReadonlyArray<ServerMessage>): Cursor | undefined => {
  const caughtUp = received.findLast((message) => message.type === "caught_up")
  if (caughtUp === undefined) return undefined
  const since = received.slice(received.indexOf(caughtUp) + 1)
  if (since.some((message) => message.type === "gap" || message.type === "resumed" || message.type === "cs2.live.snapshot"))
    return undefined
  const last = since.findLast((message) => "seq" in message)
  return last === undefined || !("seq" in last)
    ? caughtUp.cursor
    : { matchId: last.matchId, epoch: last.epoch, seq: last.seq, position: last.position }
}

describe("two edges", () => {
  it("send each frame once to a client that moves to the one that is behind", () => {
    const matches = new Matches()
    const ahead = world(100)
    const clients: Array<Client> = []
    const behind = new Edge(new LiveRooms(bounds(100)), 0, {
      publish: (topic, bytes) => {
        for (const client of clients) client.publish(topic, bytes)
        return true
      },
      publishSse: () => 0,
    })
    for (let n = 0; n < 10; n += 1) ahead.edge.accept(matches.next((n % 3) + 1))
    for (const frame of matches.frames.slice(0, 6)) behind.accept(frame)
    const newest = matches.frames.at(-1)
    const client = new Client(behind, eager)
    clients.push(client)
    follow(client, ALL, newest === undefined ? undefined : { ...newest })
    for (const frame of matches.frames.slice(6)) behind.accept(frame)
    behind.accept(matches.next(1))
    assert.deepStrictEqual(
      client.received.map((message) => ("position" in message && "seq" in message ? message.position : message.type)),
      ["resumed", "caught_up", 11],
    )
  })
})
