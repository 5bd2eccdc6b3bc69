/** Runs a follower and a model server through a script of faults, and returns everything that the follower delivered. */
import type { JsonObject } from "@matchpoint/contracts/stream/compact/mergePatch"
import { formatCursor, parseCursor } from "@matchpoint/contracts/stream/cursors"
import type { Shape } from "@matchpoint/contracts/stream/frames"
import { matchId } from "@matchpoint/cs2/rules/ids"
import type { MatchId } from "@matchpoint/domain/ids"
import { type FollowInput, type FollowItem, initial, roomOf } from "../../src/follow/FollowState.ts"
import { type IncomingMessage, readMessage } from "../../src/follow/IncomingMessage.ts"
import { resumeCursor } from "../../src/follow/resume.ts"
import { step } from "../../src/follow/step.ts"
import { ModelServer } from "./ModelServer.ts"

export const ids = [matchId(1), matchId(2), matchId(3)] as const

export const mishaps = [
  "make",
  "makeOther",
  "deliver",
  "deliverAll",
  "disconnect",
  "double",
  "lose",
  "spoil",
  "slow",
  "drain",
  "conflate",
  "heartbeat",
  "leave",
  "forget",
  "anew",
  "downgrade",
] as const
export type Mishap = (typeof mishaps)[number]

const planRequired = { code: "PLAN_REQUIRED", message: "live-websockets needs plan scale or higher" }

export interface Stage {
  readonly shape: Shape
  readonly room: "match" | "all"
  /** The first transport; the fault `downgrade` changes it. */
  readonly transport: "websocket" | "sse"
  readonly conflated: boolean
  readonly seed: number
}

export const rehearse = ({ conflated, room, seed, shape, transport: first }: Stage, script: ReadonlyArray<Mishap>) => {
  const server = new ModelServer(shape, conflated, seed)
  let transport = first
  server.snapshotsAsUpdates = transport === "sse" && shape === "v1"
  const followed: MatchId | undefined = room === "match" ? ids[0] : undefined
  const delivered: Array<FollowItem> = []
  const log: Array<string> = []
  let connected = false
  let state = initial({
    matchId: followed,
    shape,
    canSend: transport === "websocket",
    canFallBack: transport === "websocket",
    maxRateMs: conflated ? 100 : undefined,
    endWithMatch: true,
    baseDelayMs: 100,
    maxDelayMs: 1_000,
    maxAttempts: Number.POSITIVE_INFINITY,
  })

  const give = (input: FollowInput): void => {
    const { emit, next, send, state: after } = step(state, input)
    state = after
    delivered.push(...emit)
    for (const message of send) {
      log.push(`> ${JSON.stringify(message)}`)
      server.receive(message)
    }
    if (next?._tag === "Fail") throw next.failure
    if (next?._tag === "End") throw new Error("ended")
    if (next?._tag === "Reconnect" || next?._tag === "FallBack") {
      server.disconnect()
      connected = false
    }
    if (next?._tag === "FallBack") {
      transport = "sse"
      state = { ...state, settings: { ...state.settings, canSend: false } }
      server.snapshotsAsUpdates = shape === "v1"
    }
  }
  const connect = (): void => {
    connected = true
    if (transport === "sse") {
      const cursor = resumeCursor(state)
      server.connect(roomOf(state.settings), cursor === undefined ? undefined : parseCursor(formatCursor(cursor)))
    } else server.connect()
    give({ _tag: "Opened" })
  }
  const lost = (): void => {
    if (connected) give({ _tag: "Closed", reason: "cut", now: 0, random: 0.5 })
  }
  /** Over SSE, frames that the room can resume from have their cursor as id. */
  const idOf = (message: IncomingMessage) => (transport === "sse" && "seq" in message ? message : undefined)
  const deliver = (message: JsonObject | undefined): void => {
    if (message === undefined) return
    const read = readMessage(JSON.stringify(message))
    if (read?.type === "malformed") throw new Error(read.why)
    log.push(JSON.stringify(message).slice(0, 300))
    if (read !== undefined) give({ _tag: "Received", message: read, cursor: "isSnapshot" in message ? undefined : idOf(read), now: 0 })
  }
  const deliverAll = (): void => {
    // Guards against a follower that requests without end.
    for (let count = 0; server.wire.length > 0; count++) {
      if (count > 10_000) throw new Error("the talk never ends")
      deliver(server.wire.shift())
    }
  }
  const isFrame = (message: JsonObject | undefined) => message?.["type"] === "cs2.live.delta" || message?.["type"] === "cs2.live.update"

  const act: Record<Mishap, () => void> = {
    make: () => server.make(ids[0]),
    makeOther: () => server.make(ids[1]),
    deliver: () => deliver(server.wire.shift()),
    deliverAll,
    disconnect: lost,
    double: () => {
      const [next] = server.wire
      if (next !== undefined && isFrame(next)) server.wire.unshift(next)
    },
    lose: () => {
      if (isFrame(server.wire[0])) server.wire.shift()
    },
    spoil: () => {
      const [next] = server.wire
      // Only frames with a hash: otherwise the fault could not be detected.
      if (next !== undefined && isFrame(next) && "hash" in next) server.wire[0] = { ...next, patch: { spoiled: "yes" } }
    },
    slow: () => server.fallBehind(),
    drain: () => server.drain(),
    conflate: () => server.conflate(),
    heartbeat: () => server.heartbeat(),
    leave: () => server.leave(),
    forget: () => server.forget(2),
    anew: () => server.make(ids[0], { isNew: true }),
    downgrade: () => {
      if (transport === "websocket") give({ _tag: "Closed", reason: "refused", status: 403, error: planRequired, now: 0, random: 0.5 })
    },
  }

  server.make(ids[0])
  for (const mishap of script) {
    if (!connected) connect()
    act[mishap]()
  }
  // In the end: some heartbeats, no faults.
  server.make(ids[2])
  for (let beat = 0; beat < 6; beat++) {
    if (!connected) connect()
    server.drain()
    server.conflate()
    deliverAll()
    server.heartbeat()
    deliverAll()
  }
  return { log, server, state, delivered, followed }
}
