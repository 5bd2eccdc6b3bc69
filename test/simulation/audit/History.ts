/**
 * What really happened: every record that LIVE took, in order, and what each says, worked out apart from the gateway. It finds what is
 * wrong in the log itself; {@link Transcript} holds what clients heard against it.
 */
import type { LogRecord } from "@matchpoint/bus/EventLog"
import { cursorOfMessageId, matchOfSubject } from "@matchpoint/contracts/bus/subjects"
import { compactOf } from "@matchpoint/contracts/stream/compact/compactOf"
import { applyPatch, type JsonObject } from "@matchpoint/contracts/stream/compact/mergePatch"
import { canonical, stateHash } from "@matchpoint/contracts/stream/compact/stateHash"
import { type LiveUpdate, stampRecord } from "@matchpoint/contracts/stream/frames"
import type { MatchId } from "@matchpoint/domain/ids"
import type { Findings } from "./Findings.ts"

/** A record of the log as an edge would send it. */
export interface Stamped {
  readonly position: number
  /** When the log took it, epoch ms. */
  readonly at: number
  readonly update: Uint8Array
  readonly delta: Uint8Array
}

/** One state of a match. */
export class Version {
  readonly matchId: MatchId
  readonly epoch: number
  readonly seq: number
  readonly document: JsonObject
  readonly eventIds: ReadonlyArray<string>
  readonly before: Version | undefined
  /** More than one when an owner that had lost the match told it again after the log had forgotten. */
  readonly records: Array<Stamped>
  readonly data: Uint8Array
  #text: string | undefined
  #hash: string | undefined

  constructor(fields: Pick<Version, "matchId" | "epoch" | "seq" | "document" | "eventIds" | "before" | "records" | "data">) {
    this.matchId = fields.matchId
    this.epoch = fields.epoch
    this.seq = fields.seq
    this.document = fields.document
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

/** Of every so many records the whole document is compared, of the others the hash that they carry. */
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
  records = 0

  constructor(findings: Findings) {
    this.#findings = findings
  }

  version(matchId: string, epoch: number, seq: number): Version | undefined {
    return this.#versions.get(`${matchId}:${epoch}:${seq}`)
  }

  /** Oldest first. */
  of(matchId: MatchId): ReadonlyArray<Version> {
    return this.#byMatch.get(matchId) ?? []
  }

  last(matchId: MatchId): Version | undefined {
    return this.#byMatch.get(matchId)?.at(-1)
  }

  get matches(): ReadonlyArray<MatchId> {
    return [...this.#byMatch.keys()]
  }

  /** When the log took the record at a position. */
  timeOf(position: number): number | undefined {
    return this.#times.get(position)
  }

  take(record: LogRecord): void {
    const matchId = matchOfSubject(record.subject)
    const cursor = cursorOfMessageId(record.id)
    if (matchId === undefined || cursor === undefined) {
      this.#findings.add("log", `a record of LIVE that is none: ${record.id}`)
      return
    }
    this.records += 1
    this.#times.set(record.sequence, record.appendedAt)
    const frames = stampRecord(record.data, record.appendedAt, record.sequence)
    if (frames === undefined) {
      this.#findings.add("log", `${record.id} is no frame`)
      return
    }
    const stamped = { position: record.sequence, at: record.appendedAt, ...frames }
    const known = this.version(matchId, cursor.epoch, cursor.seq)
    if (known !== undefined) {
      if (Buffer.compare(known.data, record.data) !== 0) this.#findings.add("log", `two owners published ${record.id} differently`)
      known.records.push(stamped)
      return
    }
    this.#begin(matchId, cursor, record, stamped)
  }

  #begin(matchId: MatchId, { epoch, seq }: { readonly epoch: number; readonly seq: number }, record: LogRecord, stamped: Stamped): void {
    const versions = this.#byMatch.get(matchId) ?? []
    this.#byMatch.set(matchId, versions)
    const last = versions.at(-1)
    const follows = last === undefined ? seq === 1 : epoch === last.epoch ? seq === last.seq + 1 : epoch > last.epoch && seq === 1
    if (!follows) this.#findings.add("log", `${record.id} follows ${last === undefined ? "nothing" : `${last.epoch}:${last.seq}`}`)
    const delta: Delta = JSON.parse(text.decode(stamped.delta))
    const before = last?.epoch === epoch ? last : undefined
    if (delta.base !== (before?.seq ?? 0)) this.#findings.add("log", `the delta of ${record.id} has base ${delta.base}`)
    const document = applyPatch(before?.document ?? {}, delta.patch)
    if (delta.hash !== undefined && delta.hash !== stateHash(document))
      this.#findings.add("log", `${record.id} has a hash that does not fit`)
    const version = new Version({
      matchId,
      epoch,
      seq,
      document,
      eventIds: delta.events.map(({ eventId }) => eventId),
      before: last,
      records: [stamped],
      data: record.data,
    })
    if (delta.hash !== undefined && delta.hash !== version.hash) this.#findings.add("log", `${record.id} has a hash that does not fit`)
    if (seq % COMPARE_EVERY === 1) {
      const update: LiveUpdate = JSON.parse(text.decode(stamped.update))
      if (canonical(compactOf(update.data)) !== version.text) {
        this.#findings.add("log", `the delta and the update of ${record.id} say different things`)
      }
    }
    versions.push(version)
    this.#versions.set(`${matchId}:${epoch}:${seq}`, version)
  }
}
