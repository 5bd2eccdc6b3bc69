/**
 * The reference for all checks: every record that LIVE accepted, in order, and its content, computed independently of
 * the gateway. This class finds errors in the log itself. {@link Transcript} compares it with what clients received.
 */
import type { LogRecord } from "@matchpoint/bus/EventLog"
import { cursorOfMessageId, matchOfSubject } from "@matchpoint/contracts/bus/subjects"
import type { LiveState } from "@matchpoint/contracts/game/LiveContract"
import { applyPatch, type JsonObject } from "@matchpoint/contracts/stream/compact/mergePatch"
import { canonical, stateHash } from "@matchpoint/contracts/stream/compact/stateHash"
import { readRecord, stampRecord } from "@matchpoint/contracts/stream/record"
import { type RecordParts, stateAfter } from "@matchpoint/contracts/stream/stateAfter"
import { encodeFull, type FrameHead } from "@matchpoint/contracts/stream/wire"
import type { CompactMatch } from "@matchpoint/cs2/contract/CompactMatch"
import { compactOf } from "@matchpoint/cs2/contract/compactOf"
import { cs2Live } from "@matchpoint/cs2/contract/cs2Live"
import type { MatchId } from "@matchpoint/domain/ids"
import type { Findings } from "./Findings.ts"

/** A record of the log as an edge would send it. */
export class Stamped {
  readonly position: number
  /** Time at which the log accepted it, epoch ms. */
  readonly at: number
  readonly delta: Uint8Array
  readonly #event: unknown
  /** Set once the version is known. */
  state: LiveState<CompactMatch> | undefined

  constructor(fields: Pick<Stamped, "position" | "at" | "delta" | "state">, event: unknown) {
    this.position = fields.position
    this.at = fields.at
    this.delta = fields.delta
    this.state = fields.state
    this.#event = event
  }

  /** Shape v1, encoded on demand because most records are never received in this shape. */
  get update(): Uint8Array {
    if (this.state === undefined) return new Uint8Array()
    const head: FrameHead = JSON.parse(text.decode(this.delta))
    return encodeFull("cs2.live.update", head, this.#event, JSON.stringify(cs2Live.fullOf(this.state)))
  }
}

/** One state of a match. */
export class Version {
  readonly matchId: MatchId
  readonly epoch: number
  readonly seq: number
  readonly document: JsonObject
  readonly state: LiveState<CompactMatch> | undefined
  readonly eventIds: ReadonlyArray<string>
  readonly before: Version | undefined
  /**
   * More than one if an owner that had lost the match published the version again after the log had forgotten its id.
   */
  readonly records: Array<Stamped>
  readonly data: Uint8Array
  /** The log that had it was replaced by one without it. */
  isLost = false
  #text: string | undefined
  #hash: string | undefined

  constructor(fields: Pick<Version, "matchId" | "epoch" | "seq" | "document" | "state" | "eventIds" | "before" | "records" | "data">) {
    this.matchId = fields.matchId
    this.epoch = fields.epoch
    this.seq = fields.seq
    this.document = fields.document
    this.state = fields.state
    this.eventIds = fields.eventIds
    this.before = fields.before
    this.records = fields.records
    this.data = fields.data
  }

  /** The document in its canonical form. */
  get text(): string {
    this.#text ??= canonical(this.document)
    return this.#text
  }

  get hash(): string {
    this.#hash ??= stateHash(this.document)
    return this.#hash
  }
}

/** The whole document is compared for one in this many records. For the others the hash that they carry is compared. */
const COMPARE_EVERY = 16

interface Delta {
  readonly base: number
  readonly patch: JsonObject
  readonly hash?: string
  readonly events: ReadonlyArray<{ readonly eventId: string }>
}

const text = new TextDecoder()

export class History {
  readonly #findings: Findings
  readonly #versions = new Map<string, Version>()
  readonly #byMatch = new Map<MatchId, Array<Version>>()
  readonly #times = new Map<number, number>()
  /** Highest epoch of a match among the versions that were lost. */
  readonly #lostEpochs = new Map<MatchId, number>()
  records = 0

  constructor(findings: Findings) {
    this.#findings = findings
  }

  version(matchId: string, epoch: number, seq: number): Version | undefined {
    return this.#versions.get(`${matchId}:${epoch}:${seq}`)
  }

  /** Versions of a match, oldest first. */
  of(matchId: MatchId): ReadonlyArray<Version> {
    return this.#byMatch.get(matchId) ?? []
  }

  last(matchId: MatchId): Version | undefined {
    return this.#byMatch.get(matchId)?.at(-1)
  }

  get matches(): ReadonlyArray<MatchId> {
    return [...this.#byMatch.keys()]
  }

  /**
   * Time at which the log accepted the record at a position, epoch ms. If several logs had one, of the first: messages about
   * it may still be on their way.
   */
  timeOf(position: number): number | undefined {
    return this.#times.get(position)
  }

  /** The log was replaced by one that has only the records up to `until`, epoch ms. */
  replaced(until: number): void {
    for (const [matchId, versions] of this.#byMatch) {
      const kept = versions.filter(({ records }) => records.some(({ at }) => at <= until))
      for (const version of versions) version.isLost = !kept.includes(version)
      const lost = versions.findLast(({ isLost }) => isLost)
      if (lost !== undefined) this.#lostEpochs.set(matchId, Math.max(lost.epoch, this.#lostEpochs.get(matchId) ?? 0))
      this.#byMatch.set(matchId, kept)
    }
  }

  /** Returns the version if it is a new one. */
  take(record: LogRecord): Version | undefined {
    const matchId = matchOfSubject(record.subject)
    const cursor = cursorOfMessageId(record.id)
    if (matchId === undefined || cursor === undefined) {
      this.#findings.add("log", `an invalid record in LIVE: ${record.id}`)
      return undefined
    }
    this.records += 1
    if (!this.#times.has(record.sequence)) this.#times.set(record.sequence, record.appendedAt)
    const frame = stampRecord(record.data, "cs2", record.appendedAt, record.sequence)
    const read = readRecord(record.data)
    if (frame === undefined || read === undefined) {
      this.#findings.add("log", `${record.id} is not a frame`)
      return undefined
    }
    const known = this.version(matchId, cursor.epoch, cursor.seq)
    const place = { position: record.sequence, at: record.appendedAt, delta: frame.delta, state: known?.state }
    const stamped = new Stamped(place, read.internals["event"] ?? null)
    if (known !== undefined) {
      if (frame.kind !== "kept" && !hasSameContent(known.data, record.data))
        this.#findings.add("log", `two owners published ${record.id} with different content`)
      known.records.push(stamped)
      return undefined
    }
    return this.#begin(matchId, cursor, record, stamped, read)
  }

  #begin(
    matchId: MatchId,
    { epoch, seq }: { readonly epoch: number; readonly seq: number },
    record: LogRecord,
    stamped: Stamped,
    read: RecordParts,
  ): Version {
    const versions = this.#byMatch.get(matchId) ?? []
    this.#byMatch.set(matchId, versions)
    const last = versions.at(-1)
    const highest = Math.max(last?.epoch ?? -1, this.#lostEpochs.get(matchId) ?? -1)
    const follows = last !== undefined && epoch === last.epoch ? seq === last.seq + 1 : epoch > highest && seq === 1
    if (!follows) this.#findings.add("log", `${record.id} follows ${last === undefined ? "nothing" : `${last.epoch}:${last.seq}`}`)
    const delta: Delta = JSON.parse(text.decode(stamped.delta))
    const before = last?.epoch === epoch ? last : undefined
    if (delta.base !== (before?.seq ?? 0)) this.#findings.add("log", `the delta of ${record.id} has base ${delta.base}`)
    const document = applyPatch(before?.document ?? {}, delta.patch)
    if (delta.hash !== undefined && delta.hash !== stateHash(document)) this.#findings.add("log", `${record.id} has a wrong hash`)
    const state = stateAfter(cs2Live, before?.state, read) as LiveState<CompactMatch> | undefined
    if (state === undefined) this.#findings.add("log", `${record.id} has no base`)
    stamped.state = state
    const version = new Version({
      matchId,
      epoch,
      seq,
      document,
      state,
      eventIds: delta.events.map(({ eventId }) => eventId),
      before: last,
      records: [stamped],
      data: record.data,
    })
    if (delta.hash !== undefined && delta.hash !== version.hash) this.#findings.add("log", `${record.id} has a wrong hash`)
    if (seq % COMPARE_EVERY === 1) {
      if (state === undefined || canonical(compactOf(cs2Live.fullOf(state))) !== version.text) {
        this.#findings.add("log", `the delta and the update of ${record.id} differ`)
      }
      if (read.document !== undefined && canonical(read.document) !== version.text) {
        this.#findings.add("log", `the document of ${record.id} differs from the result of its patches`)
      }
    }
    versions.push(version)
    this.#versions.set(`${matchId}:${epoch}:${seq}`, version)
    return version
  }
}

/** Returns true if two records have the same content. Owners differ in which records carry the document. */
const hasSameContent = (one: Uint8Array, other: Uint8Array): boolean => {
  const [a, b] = [one, other].map((record) => {
    const read = readRecord(record)
    return JSON.stringify([read?.delta, read?.internals["event"]])
  })
  return a === b
}
