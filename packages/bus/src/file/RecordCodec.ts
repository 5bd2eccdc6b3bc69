/**
 * Binary format of a journal: `length u32, crc32 u32, body`, little-endian. The body is `sequence u48, appendedAt u48,
 * subject length u16, id length u16, subject, id, data`. The length and the checksum cover only the body. An incomplete
 * write at the end of a file is distinguished from damage in the middle; `Journal` decides how to handle each.
 */
import { crc32 } from "node:zlib"
import type { LogRecord } from "../EventLog.ts"

const frameBytes = 8
const fixedBodyBytes = 16

/** Identifies the format and its version at the start of every segment file. */
export const header = Buffer.from("MPLOG\0\0\x01", "latin1")

export const encodedLength = (record: LogRecord): number =>
  frameBytes + fixedBodyBytes + Buffer.byteLength(record.subject) + Buffer.byteLength(record.id) + record.data.byteLength

/** Returns the offset after the record. `target` must be large enough. */
export const encodeInto = (record: LogRecord, target: Buffer, offset: number): number => {
  const body = offset + frameBytes
  target.writeUIntLE(record.sequence, body, 6)
  target.writeUIntLE(record.appendedAt, body + 6, 6)
  let at = body + fixedBodyBytes
  const subjectBytes = target.write(record.subject, at)
  at += subjectBytes
  const idBytes = target.write(record.id, at)
  at += idBytes
  target.writeUInt16LE(subjectBytes, body + 12)
  target.writeUInt16LE(idBytes, body + 14)
  target.set(record.data, at)
  at += record.data.byteLength
  target.writeUInt32LE(at - body, offset)
  target.writeUInt32LE(crc32(target.subarray(body, at)), offset + 4)
  return at
}

export type Decoded = { readonly record: LogRecord; readonly next: number }

/** Undefined if there is no valid record at this offset. The decoded `data` shares memory with `source`. */
export const decodeAt = (source: Buffer, offset: number): Decoded | undefined => {
  if (offset + frameBytes + fixedBodyBytes > source.length) return undefined
  const length = source.readUInt32LE(offset)
  const body = offset + frameBytes
  const next = body + length
  if (length < fixedBodyBytes || next > source.length) return undefined
  if (crc32(source.subarray(body, next)) !== source.readUInt32LE(offset + 4)) return undefined
  const id = body + fixedBodyBytes + source.readUInt16LE(body + 12)
  const data = id + source.readUInt16LE(body + 14)
  if (data > next) return undefined
  const record: LogRecord = {
    sequence: source.readUIntLE(body, 6),
    appendedAt: source.readUIntLE(body + 6, 6),
    subject: source.toString("utf8", body + fixedBodyBytes, id),
    id: source.toString("utf8", id, data),
    data: source.subarray(data, next),
  }
  return { record, next }
}

export interface Scan {
  /** Offset after the last valid record, in bytes. */
  readonly end: number
  /**
   * What follows the valid records. `whole`: nothing. `torn`: an interrupted write. `damaged`: further valid records
   * after invalid bytes, or a record with an unexpected sequence.
   */
  readonly state: "whole" | "torn" | "damaged"
}

/** The first record must have the sequence `first`. */
export const scan = (source: Buffer, first: number, onRecord: (record: LogRecord) => void): Scan => {
  if (source.length < header.length) return { end: 0, state: header.subarray(0, source.length).equals(source) ? "torn" : "damaged" }
  if (!source.subarray(0, header.length).equals(header)) return { end: 0, state: "damaged" }
  let offset = header.length
  let expected = first
  while (offset < source.length) {
    const decoded = decodeAt(source, offset)
    if (decoded === undefined) return { end: offset, state: validFollows(source, offset + 1, expected) ? "damaged" : "torn" }
    if (decoded.record.sequence !== expected) return { end: offset, state: "damaged" }
    onRecord(decoded.record)
    offset = decoded.next
    expected++
  }
  return { end: offset, state: "whole" }
}

/** True if a valid record with a sequence of at least `expected` starts at or after `from`. The checksum comes last. */
const validFollows = (source: Buffer, from: number, expected: number): boolean => {
  for (let offset = from; offset + frameBytes + fixedBodyBytes <= source.length; offset++) {
    if (offset + frameBytes + source.readUInt32LE(offset) > source.length) continue
    const sequence = source.readUIntLE(offset + frameBytes, 6)
    if (sequence < expected || sequence > expected + source.length) continue
    if (decodeAt(source, offset) !== undefined) return true
  }
  return false
}
