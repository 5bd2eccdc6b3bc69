/**
 * A small model around a session: matches that produce frames, a transport with topics and full buffers, and a client
 * that stores what it is sent and checks it. It has no sockets, clock or randomness.
 */
import { assert } from "@effect/vitest"
import { liveMessageId, liveSubject } from "@matchpoint/contracts/bus/subjects"
import type { Shape } from "@matchpoint/contracts/stream/frames"
import type { SlowPolicy } from "@matchpoint/contracts/stream/messages"
import { type RecordKind, recordText } from "@matchpoint/contracts/stream/record"
import { deltaText, positionBefore } from "@matchpoint/contracts/stream/wire"
import type { ServerMessage } from "@matchpoint/cs2/contract/serverMessages"
import { matchId } from "@matchpoint/cs2/rules/ids"
import type { MatchId } from "@matchpoint/domain/ids"
import type { Channel, Pace } from "../../src/Channel.ts"
import { ClientSession } from "../../src/ClientSession.ts"
import { Edge } from "../../src/Edge.ts"
import { type Frame, frameOfRecord } from "../../src/Frame.ts"
import { LiveRooms, type RoomBounds } from "../../src/LiveRooms.ts"
import type { OlderFrames, SessionConnection } from "../../src/SessionConnection.ts"
import { games } from "../testGame.ts"

/** Small, so that catching up covers keyframes and changes. */
const KEYFRAME_EVERY = 8

export const bounds = (frames: number): RoomBounds => ({
  match: { frames, bytes: 1e9, ageMs: 1e9 },
  all: { frames: frames * 3, bytes: 1e9, ageMs: 1e9 },
  totalBytes: 1e9,
})

/** Produces the frames of several matches, as the log would contain them. */
export class Matches {
  readonly frames: Array<Frame> = []
  readonly #seqs = new Map<MatchId, number>()

  next(n: number): Frame {
    const match = matchId(n)
    const seq = (this.#seqs.get(match) ?? 0) + 1
    this.#seqs.set(match, seq)
    const head = { matchId: match, epoch: 1, seq, observedAt: "2026-01-01T00:00:00.000Z", receivedAt: "2026-01-01T00:00:00.000Z" }
    const kind: RecordKind = seq === 1 ? "first" : seq % KEYFRAME_EVERY === 0 ? "keyframe" : "change"
    const document = { matchId: match, status: "live", n: seq }
    const record = {
      subject: liveSubject(match),
      id: liveMessageId(match, 1, seq),
      sequence: this.frames.length + 1,
      data: new TextEncoder().encode(
        recordText({
          kind,
          delta: deltaText("cs2", { ...head, base: seq - 1, events: [], patch: kind === "first" ? document : { n: seq } }),
          internals: {},
          ...(kind === "keyframe" ? { document: JSON.stringify(document) } : {}),
        }),
      ),
      appendedAt: seq,
    }
    const frame = frameOfRecord(record, games)
    if (frame === undefined) throw new Error("the model's record is not a valid frame")
    this.frames.push(frame)
    return frame
  }

  newest(n: number): number {
    return this.#seqs.get(matchId(n)) ?? 0
  }
}

/** A log without older frames: frames that have left the rings are lost. */
export const noOlder: OlderFrames = { read: (session, following) => session.reset(following), stop: () => {} }

const text = new TextDecoder()

export class Client {
  readonly session: ClientSession
  readonly received: Array<ServerMessage> = []
  readonly #topics = new Set<string>()
  readonly #capacity: number
  #waiting = 0
  #skipped: Uint8Array | undefined
  closed = false

  constructor(
    edge: Edge,
    options: { shape: Shape; pace: Pace; policy: SlowPolicy; capacity: number; older?: OlderFrames; now?: () => number },
  ) {
    this.#capacity = options.capacity
    const outlet: SessionConnection = {
      knowsSnapshots: true,
      frame: (_kind, _frame, bytes) => {
        this.#take(bytes)
      },
      sendControl: (message) => this.#take(JSON.stringify(message)),
      join: (channel: Channel) => {
        channel.sockets += 1
        this.#topics.add(channel.topic)
      },
      leave: (channel: Channel) => {
        channel.sockets -= 1
        this.#topics.delete(channel.topic)
      },
      hasRoom: () => !this.closed && this.#waiting < this.#capacity / 2,
      endSlow: () => {
        this.closed = true
      },
    }
    this.session = new ClientSession({ edge, outlet, older: options.older ?? noOlder, now: options.now ?? (() => 0), ...options })
  }

  /** Delivers a published message, like the transport. */
  publish(topic: string, bytes: string | Uint8Array): void {
    if (this.#topics.has(topic)) this.#take(bytes)
  }

  /** Reports skipped messages to the session like uWebSockets.js: in a later turn, or before the drain. */
  reportSkipped(): void {
    const skipped = this.#skipped
    this.#skipped = undefined
    if (skipped !== undefined && !this.closed) this.session.skipped(positionBefore(skipped))
  }

  /** Simulates a client that reads everything that waits. */
  read(): void {
    this.reportSkipped()
    this.#waiting = 0
    if (!this.closed) this.session.drained()
  }

  #take(message: string | Uint8Array): boolean {
    if (this.closed) return false
    if (this.#waiting >= this.#capacity) {
      this.#skipped ??= typeof message === "string" ? new TextEncoder().encode(message) : message
      return false
    }
    this.#waiting += 1
    this.received.push(JSON.parse(typeof message === "string" ? message : text.decode(message)))
    return true
  }
}

/** Newest seq of each match in a transcript. */
export const lastSeqs = (received: ReadonlyArray<ServerMessage>): ReadonlyMap<string, number> => {
  const seqs = new Map<string, number>()
  for (const message of received) if ("seq" in message) seqs.set(message.matchId, message.seq)
  return seqs
}

/** An edge whose transport reaches these clients. */
export const world = (frames: number) => {
  const clients: Array<Client> = []
  const edge = new Edge(new LiveRooms(bounds(frames)), 0, {
    publish: (topic, bytes) => {
      for (const client of clients) client.publish(topic, bytes)
      return true
    },
    publishSse: () => 0,
  })
  return { edge, clients }
}

/**
 * Asserts that nothing is lost, repeated or out of order. In each match, every frame follows the previous one, unless a
 * snapshot or an announced gap is between them. Deltas must apply to what the client has.
 */
export const assertTranscript = (received: ReadonlyArray<ServerMessage>): void => {
  const at = new Map<string, number>()
  const announced = new Map<string, { from: number; to: number }>()
  for (const message of received) {
    if (message.type === "gap" || message.type === "resumed") {
      for (const { matchId: id, from, to } of message.missing) {
        const last = at.get(id)
        assert.isTrue(last === undefined || from <= last + 1, `${id}: the gap begins at ${from}, but the client has ${last}`)
        announced.set(id, { from, to })
      }
      continue
    }
    if (!("seq" in message)) continue
    const last = at.get(message.matchId)
    const gap = announced.get(message.matchId)
    if (message.type === "cs2.live.snapshot") {
      assert.isTrue(last === undefined || message.seq >= last, `a snapshot of ${message.seq} after ${last}`)
      if (gap !== undefined) assert.isTrue(message.seq >= gap.to, `the snapshot ${message.seq} does not end the gap to ${gap.to}`)
      announced.delete(message.matchId)
    } else {
      assert.isUndefined(gap, `frame ${message.seq} although a snapshot was expected`)
      if (last !== undefined) {
        const base = message.type === "cs2.live.delta" ? message.base : message.seq - 1
        assert.strictEqual(base, last, `${message.matchId}: ${message.type} ${message.seq} after ${last}`)
      }
    }
    at.set(message.matchId, message.seq)
  }
}
