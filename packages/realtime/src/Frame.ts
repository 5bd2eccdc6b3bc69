/** One change of a match as an edge holds it: both encodings, ready to send, shared by every room, ring and reader: never written to. */
import { cursorOfMessageId, matchOfSubject } from "@matchpoint/contracts/bus/subjects"
import { type LiveUpdate, stampRecord } from "@matchpoint/contracts/stream/frames"
import type { LiveMatch } from "@matchpoint/contracts/stream/LiveMatch"
import type { MatchId } from "@matchpoint/domain/ids"

export interface Frame {
  readonly matchId: MatchId
  readonly epoch: number
  readonly seq: number
  /** When the log took it, epoch ms. */
  readonly at: number
  /** Its sequence in LIVE, over all matches. */
  readonly position: number
  /** Shape v1: `cs2.live.update` with the whole match. */
  readonly update: Uint8Array
  /** Shape v2: `cs2.live.delta` against the frame before. */
  readonly delta: Uint8Array
  /** The seqs between the frame before and this one, both included, where the log had dropped them before we read it: a hole. */
  missing?: { readonly from: number; readonly to: number }
}

/** Bytes of both encodings. */
export const sizeOf = ({ delta, update }: Frame): number => update.length + delta.length

/** A record of LIVE. */
export interface LiveRecord {
  readonly subject: string
  readonly id: string
  readonly sequence: number
  readonly data: Uint8Array
  readonly appendedAt: number
}

/** Undefined: not a frame, or of a format of an earlier version. */
export const frameOfRecord = (record: LiveRecord): Frame | undefined => {
  const matchId = matchOfSubject(record.subject)
  const cursor = cursorOfMessageId(record.id)
  if (matchId === undefined || cursor === undefined) return undefined
  const stamped = stampRecord(record.data, record.appendedAt, record.sequence)
  if (stamped === undefined) return undefined
  return { matchId, epoch: cursor.epoch, seq: cursor.seq, at: record.appendedAt, position: record.sequence, ...stamped }
}

/** True when `a` comes after `b` in the history of one match. */
export const isAfter = (
  a: { readonly epoch: number; readonly seq: number },
  b: { readonly epoch: number; readonly seq: number },
): boolean => a.epoch > b.epoch || (a.epoch === b.epoch && a.seq > b.seq)

const text = new TextDecoder()

/**
 * The document inside a frame. Parses without validating: the bytes were encoded by a match actor from typed data, and reads must
 * stay cheap (30 us for 7 KB).
 */
export const documentOf = (frame: Frame): LiveMatch => {
  const update: LiveUpdate = JSON.parse(text.decode(frame.update))
  return update.data
}
