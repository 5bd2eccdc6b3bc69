/**
 * Decodes the bytes that clients received, once for all clients that received the same bytes, and compares every frame
 * with the history. A frame that passes either equals the log's frame byte for byte or has exactly the same content.
 */
import { applyPatch, type JsonObject } from "@matchpoint/contracts/stream/compact/mergePatch"
import { canonical } from "@matchpoint/contracts/stream/compact/stateHash"
import { snapshotOfUpdate } from "@matchpoint/contracts/stream/wire"
import { DELTA, SNAPSHOT, UPDATE } from "@matchpoint/cs2/contract/frames"
import { decodeServerMessage, type ServerMessage } from "@matchpoint/cs2/contract/serverMessages"
import { Result } from "effect"
import type { Findings } from "./Findings.ts"
import type { History, Version } from "./History.ts"

/** A message without a document. */
export type ControlMessage = Exclude<ServerMessage, { readonly data: unknown } | { readonly patch: unknown }>

export type Received =
  | { readonly _tag: "Update"; readonly version: Version; readonly position: number; readonly at: number }
  /** `base`: the seq that the delta applies to. A conflated delta covers more than one seq. */
  | { readonly _tag: "Delta"; readonly version: Version; readonly base: number; readonly position: number; readonly at: number }
  | { readonly _tag: "Snapshot"; readonly version: Version; readonly position: number; readonly at: number }
  | { readonly _tag: "Control"; readonly message: ControlMessage }
  | { readonly _tag: "Wrong" }

/** One event of an SSE stream. */
export interface ReceivedEvent {
  readonly name: string
  readonly id: string | undefined
  readonly retryMs: number | undefined
  readonly received: Received | undefined
}

interface Head {
  readonly type: string
  readonly matchId: string
  readonly epoch: number
  readonly seq: number
  readonly position: number
  readonly publishedAt: string
}

const text = new TextDecoder()
/**
 * The full document is built and compared for one in this many conflated deltas. For the others only the hash is
 * compared.
 */
const COMPARE_EVERY = 2

const wrong: Received = { _tag: "Wrong" }

export class Hearing {
  readonly #history: History
  readonly #findings: Findings
  readonly #messages = new WeakMap<Uint8Array, Received>()
  readonly #chunks = new WeakMap<Uint8Array, ReadonlyArray<ReceivedEvent>>()
  frames = 0

  constructor(history: History, findings: Findings) {
    this.#history = history
    this.#findings = findings
  }

  message(bytes: Uint8Array): Received {
    let received = this.#messages.get(bytes)
    if (received === undefined) {
      received = this.#read(bytes)
      this.#messages.set(bytes, received)
    }
    return received
  }

  /** Returns the events of a chunk of an SSE stream. */
  events(chunk: Uint8Array): ReadonlyArray<ReceivedEvent> {
    let events = this.#chunks.get(chunk)
    if (events === undefined) {
      events = this.#split(chunk)
      this.#chunks.set(chunk, events)
    }
    return events
  }

  #split(chunk: Uint8Array): ReadonlyArray<ReceivedEvent> {
    const all = text.decode(chunk)
    if (all.trim() === "") return []
    if (!all.endsWith("\n\n")) this.#wrong(`an SSE chunk that does not end an event: ${all.slice(-40)}`)
    return all
      .trimStart()
      .split("\n\n")
      .filter((block) => block.trim() !== "")
      .map((block) => {
        let name = "message"
        let id: string | undefined
        let retryMs: number | undefined
        let data: string | undefined
        for (const line of block.split("\n")) {
          if (line.startsWith("event: ")) name = line.slice(7)
          else if (line.startsWith("id: ")) id = line.slice(4)
          else if (line.startsWith("retry: ")) retryMs = Number(line.slice(7))
          else if (line.startsWith("data: ")) data = line.slice(6)
        }
        return { name, id, retryMs, received: data === undefined ? undefined : this.#read(utf8.encode(data)) }
      })
  }

  #read(bytes: Uint8Array): Received {
    const type = /^\{"type":"([a-z0-9._]+)"/.exec(text.decode(bytes.subarray(0, 60)))?.[1]
    if (type === UPDATE || type === SNAPSHOT || type === DELTA) return this.#frame(type, bytes)
    const message = decodeServerMessage(text.decode(bytes))
    if (Result.isFailure(message)) return this.#wrong(`not in the contract: ${text.decode(bytes).slice(0, 200)}`)
    if ("data" in message.success || "patch" in message.success) return this.#wrong(`not a message: ${type}`)
    return { _tag: "Control", message: message.success }
  }

  #frame(type: string, bytes: Uint8Array): Received {
    this.frames += 1
    const head = readHead(bytes)
    const version = head === undefined ? undefined : this.#history.version(head.matchId, head.epoch, head.seq)
    if (head === undefined || version === undefined)
      return this.#wrong(`a frame that was never published: ${text.decode(bytes).slice(0, 200)}`)
    const record = version.records.find(({ position }) => position === head.position)
    if (record === undefined || new Date(record.at).toISOString() !== head.publishedAt) {
      return this.#wrong(`${nameOf(version)} is stamped ${head.publishedAt} at ${head.position}, which differs from the log`)
    }
    const { position, at } = record
    const place = { version, position, at }
    if (type === UPDATE) {
      return same(bytes, record.update) ? { _tag: "Update", ...place } : this.#wrong(`the update ${nameOf(version)} differs from the log`)
    }
    if (type === SNAPSHOT && !text.decode(bytes.subarray(0, 60)).includes('"shape":"v2"')) {
      const isLogs = same(bytes, snapshotOfUpdate("cs2", record.update))
      return isLogs ? { _tag: "Snapshot", ...place } : this.#wrong(`the snapshot ${nameOf(version)} differs from the log`)
    }
    if (type === SNAPSHOT) return this.#compactSnapshot(bytes, place)
    const { before } = version
    if (same(bytes, record.delta)) return { _tag: "Delta", ...place, base: before?.epoch === version.epoch ? before.seq : 0 }
    return this.#conflatedDelta(bytes, place)
  }

  #compactSnapshot(bytes: Uint8Array, place: { version: Version; position: number; at: number }): Received {
    const { data, hash }: { data: JsonObject; hash: string } = JSON.parse(text.decode(bytes))
    const { version } = place
    if (canonical(data) !== version.text) return this.#wrong(`the v2 snapshot ${nameOf(version)} differs from the log`)
    return hash === version.hash ? { _tag: "Snapshot", ...place } : this.#wrong(`the v2 snapshot ${nameOf(version)} has a wrong hash`)
  }

  #conflatedDelta(bytes: Uint8Array, place: { version: Version; position: number; at: number }): Received {
    const { version } = place
    const delta: { base: number; patch: JsonObject; hash?: string; events: ReadonlyArray<{ eventId: string }> } = JSON.parse(
      text.decode(bytes),
    )
    const base = this.#history.version(version.matchId, version.epoch, delta.base)
    if (base === undefined) return this.#wrong(`the delta ${nameOf(version)} has no base ${delta.base}`)
    const document = version.seq % COMPARE_EVERY === 0 ? applyPatch(base.document, delta.patch) : undefined
    if (document !== undefined && canonical(document) !== version.text)
      return this.#wrong(`the delta ${delta.base} -> ${nameOf(version)} produces a different document`)
    if (delta.hash !== undefined && delta.hash !== version.hash) return this.#wrong(`the delta ${nameOf(version)} has a wrong hash`)
    const events: Array<string> = []
    for (let one: Version | undefined = version; one !== undefined && one !== base; one = one.before) events.unshift(...one.eventIds)
    const eventIds = delta.events.map(({ eventId }) => eventId)
    if (eventIds.join() !== events.join())
      return this.#wrong(`the delta ${delta.base} -> ${nameOf(version)} contains ${eventIds.length} of ${events.length} events`)
    return { _tag: "Delta", ...place, base: delta.base }
  }

  #wrong(problem: string): Received {
    this.#findings.add("frames", problem)
    return wrong
  }
}

export const nameOf = ({ matchId, epoch, seq }: { readonly matchId: string; readonly epoch: number; readonly seq: number }): string =>
  `${matchId.replace("cs2-match-", "#")}:${epoch}:${seq}`

/** Reads the fields before the document, which every frame starts with. */
const readHead = (bytes: Uint8Array): Head | undefined => {
  const start = text.decode(bytes.subarray(0, 320))
  const type = /"type":"([^"]+)"/.exec(start)?.[1]
  const publishedAt = /"publishedAt":"([^"]+)"/.exec(start)?.[1]
  const position = /"position":([0-9]+)/.exec(start)?.[1]
  const cursor = /"matchId":"([^"]+)","epoch":([0-9]+),"seq":([0-9]+)/.exec(start)
  const [, matchId, epoch, seq] = cursor ?? []
  if (type === undefined || publishedAt === undefined || position === undefined) return undefined
  if (matchId === undefined || epoch === undefined || seq === undefined) return undefined
  return { type, publishedAt, position: Number(position), matchId, epoch: Number(epoch), seq: Number(seq) }
}

const same = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && Buffer.compare(a, b) === 0

const utf8 = new TextEncoder()
