/**
 * One change of a match: the bytes of its log record, ready to be sent in message format v2. Messages in format v1 are
 * built on demand (see `FrameViews`). All rooms, buffers and readers share the same frame object; only its optional
 * fields are set after its creation.
 */
import { cursorOfMessageId, matchOfSubject } from "@matchpoint/contracts/bus/subjects"
import type { LiveContract, LiveContracts } from "@matchpoint/contracts/game/LiveContract"
import type { ByteBlocks } from "@matchpoint/contracts/stream/ByteBlocks"
import { type RecordKind, type StampedRecord, stampRecord } from "@matchpoint/contracts/stream/record"
import { gameOfMatch, type MatchId } from "@matchpoint/domain/ids"

export interface Frame {
  readonly game: LiveContract
  readonly matchId: MatchId
  readonly epoch: number
  readonly seq: number
  /** Time at which the record was appended to the log, in epoch milliseconds. */
  readonly at: number
  /** Sequence number of the record in the LIVE stream, which is the log with the records of all matches. */
  readonly position: number
  readonly kind: RecordKind
  /**
   * The bytes of the record: the delta message in message format v2, and JSON for internal use and, in some records, the
   * full state.
   */
  readonly record: StampedRecord
  /**
   * Sequence numbers (first and last) of the frames between the previous frame and this one that the log had dropped
   * before this server read them; undefined if none are missing.
   */
  missing?: { readonly from: number; readonly to: number } | undefined
  /**
   * The previous frame, on which the delta of this frame is based; undefined if this frame contains its full state. A
   * chain of these links keeps at most 31 other frames in memory.
   */
  before?: Frame | undefined
}

/** Returns the size of the frame's record in bytes. */
export const sizeOf = ({ record }: Frame): number => record.size

/** Returns true if the full state can be read from the frame alone, without the previous frame. */
export const standsAlone = ({ kind }: Frame): boolean => kind !== "change"

/** Returns true if the bytes include those of `part`. */
export const includes = (bytes: Uint8Array, part: Buffer): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(part)

const fieldKeys = { status: Buffer.from('"status":'), source: Buffer.from('"source":') }

/**
 * Returns true if a field of the match document is certainly the same as before the frame, because the delta does not
 * contain its name. Compares bytes and parses nothing. The frame before must be known.
 */
export const keepsField = ({ kind, record }: Frame, field: keyof typeof fieldKeys): boolean =>
  (kind === "change" || kind === "keyframe") && !includes(record.delta, fieldKeys[field])

/** A record of the LIVE stream, which is the log with the changes of all matches. */
export interface LiveRecord {
  readonly subject: string
  readonly id: string
  readonly sequence: number
  readonly data: Uint8Array
  readonly appendedAt: number
}

/** The room that stores the frames of a match. */
export interface FrameStore {
  readonly matchId: MatchId
  /** Memory for the bytes of the frames. */
  readonly memory: ByteBlocks
}

/**
 * Creates a frame from a log record. Returns undefined if this server does not serve the game, or if the format of the
 * record is unknown. `rooms` contains the room of each match that will store the frame, if there is one.
 */
export const frameOfRecord = (
  { appendedAt: at, data, id, sequence: position, subject }: LiveRecord,
  games: LiveContracts,
  rooms?: { readonly get: (matchId: MatchId) => FrameStore | undefined },
): Frame | undefined => {
  const matchId = matchOfSubject(subject)
  const cursor = cursorOfMessageId(id)
  const game = matchId === undefined ? undefined : games.get(gameOfMatch(matchId))
  if (matchId === undefined || cursor === undefined || game === undefined) return undefined
  const room = rooms?.get(matchId)
  const record = stampRecord(data, game.game, at, position, room?.memory)
  if (record === undefined) return undefined
  return {
    game,
    matchId: room?.matchId ?? matchId,
    epoch: cursor.epoch,
    seq: cursor.seq,
    at,
    position,
    kind: record.kind,
    record,
    // Named here, because adding a field to an object later takes a second object.
    missing: undefined,
    before: undefined,
  }
}

/** Returns true if `a` is later than `b` in the history of one match. */
export const isAfter = (
  a: { readonly epoch: number; readonly seq: number },
  b: { readonly epoch: number; readonly seq: number },
): boolean => a.epoch > b.epoch || (a.epoch === b.epoch && a.seq > b.seq)

/** Returns true if `frame` is the change directly after `before`. */
export const follows = (frame: Frame, before: { readonly epoch: number; readonly seq: number }): boolean =>
  frame.epoch === before.epoch && frame.seq === before.seq + 1

/**
 * Links a frame to the frame on which its delta is based, so that its full state can be computed. `before` is the
 * newest frame of the match. Returns false if the full state can be computed neither from `before` nor from the frame
 * alone. In that case, the same is true of the following frames until one contains the full state.
 */
export const link = (frame: Frame, before: Frame | undefined): boolean => {
  // A frame that contains the full state is not linked, so that the frames before it can be freed.
  if (standsAlone(frame)) return true
  if (before === undefined || !follows(frame, before)) return false
  frame.before = before
  return true
}
