/**
 * One change of a match: the bytes of its log record, ready to be sent in message format v2. `FrameViews` builds
 * messages in format v1 on demand. All rooms, buffers and readers share one frame object; only its optional fields are
 * set later.
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
  /** Time of the append to the log, in epoch milliseconds. */
  readonly at: number
  /** Sequence number in the LIVE stream, which has the records of all matches. */
  readonly position: number
  readonly kind: RecordKind
  /** The delta message in message format v2, JSON for internal use and, in some records, the full state. */
  readonly record: StampedRecord
  /** Sequence numbers between the previous frame and this one that the log had dropped before this server read them. */
  missing?: { readonly from: number; readonly to: number } | undefined
  /**
   * The frame on which the delta is based; undefined if this frame has its full state. A chain of these links keeps at
   * most 31 other frames in memory.
   */
  before?: Frame | undefined
}

/** In bytes. */
export const sizeOf = ({ record }: Frame): number => record.size

/** True if the frame alone has the full state. */
export const standsAlone = ({ kind }: Frame): boolean => kind !== "change"

export const includes = (bytes: Uint8Array, part: Buffer): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(part)

const fieldKeys = { status: Buffer.from('"status":'), source: Buffer.from('"source":') }

/**
 * Returns true only if the field is certainly unchanged, because the delta does not contain its name. Compares bytes
 * and parses nothing. The frame before must be known.
 */
export const keepsField = ({ kind, record }: Frame, field: keyof typeof fieldKeys): boolean =>
  (kind === "change" || kind === "keyframe") && !includes(record.delta, fieldKeys[field])

/** Record of the LIVE stream. */
export interface LiveRecord {
  readonly subject: string
  readonly id: string
  readonly sequence: number
  readonly data: Uint8Array
  readonly appendedAt: number
}

export interface FrameStore {
  readonly matchId: MatchId
  readonly memory: ByteBlocks
}

/**
 * Returns undefined if this server does not serve the game, or does not know the format of the record. `rooms` has the
 * rooms that will store the frames.
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
    // Named here: adding a field later takes a second object.
    missing: undefined,
    before: undefined,
  }
}

/** Compares positions in the history of one match. */
export const isAfter = (
  a: { readonly epoch: number; readonly seq: number },
  b: { readonly epoch: number; readonly seq: number },
): boolean => a.epoch > b.epoch || (a.epoch === b.epoch && a.seq > b.seq)

export const follows = (frame: Frame, before: { readonly epoch: number; readonly seq: number }): boolean =>
  frame.epoch === before.epoch && frame.seq === before.seq + 1

/**
 * Links a frame to the frame on which its delta is based. `before` is the newest frame of the match. Returns false if
 * the full state can be computed neither from `before` nor from the frame alone; the same then holds for the following
 * frames until one has the full state.
 */
export const link = (frame: Frame, before: Frame | undefined): boolean => {
  // No link, so that the frames before it can be freed.
  if (standsAlone(frame)) return true
  if (before === undefined || !follows(frame, before)) return false
  frame.before = before
  return true
}
