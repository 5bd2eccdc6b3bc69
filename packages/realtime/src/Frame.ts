/**
 * One change of a match on an edge: the bytes of its record, ready to send in shape v2. Shape v1 is built on demand
 * (see `Views`). Rooms, rings and readers share a frame; only its optional fields are set later.
 */
import { cursorOfMessageId, matchOfSubject } from "@matchpoint/contracts/bus/subjects"
import type { LiveContract, LiveContracts } from "@matchpoint/contracts/game/LiveContract"
import { type RecordKind, stampRecord } from "@matchpoint/contracts/stream/record"
import { gameOfMatch, type MatchId } from "@matchpoint/domain/ids"

export interface Frame {
  readonly game: LiveContract
  readonly matchId: MatchId
  readonly epoch: number
  readonly seq: number
  /** Time of the append to the log, epoch milliseconds. */
  readonly at: number
  /** Sequence in the log LIVE, which holds the records of all matches. */
  readonly position: number
  readonly kind: RecordKind
  /** Shape v2: the delta to the previous frame. */
  readonly delta: Uint8Array
  /** The lines of the record after the delta. */
  readonly rest: Uint8Array
  /** Seqs between the previous frame and this one, inclusive, that the log had dropped before this edge read them. */
  missing?: { readonly from: number; readonly to: number }
  /**
   * The frame that this one is based on; undefined if this one has its document. A frame therefore keeps at most 31
   * others in memory.
   */
  before?: Frame
  /** The feed in use after this change. Set by the room that accepts the frame. */
  source?: string
  /** Id of the event of this change; undefined if the change has no name. Set by the room that accepts the frame. */
  eventId?: string
}

/** Size of the record in bytes. */
export const sizeOf = ({ delta, rest }: Frame): number => delta.length + rest.length

/** Returns true if the document can be built without the previous frame. */
export const standsAlone = ({ kind }: Frame): boolean => kind !== "change"

/** A record of the log LIVE. */
export interface LiveRecord {
  readonly subject: string
  readonly id: string
  readonly sequence: number
  readonly data: Uint8Array
  readonly appendedAt: number
}

/** Creates the frame of a record. Returns undefined if the game is not served here or the format is unknown. */
export const frameOfRecord = (record: LiveRecord, games: LiveContracts): Frame | undefined => {
  const matchId = matchOfSubject(record.subject)
  const cursor = cursorOfMessageId(record.id)
  const game = matchId === undefined ? undefined : games.get(gameOfMatch(matchId))
  if (matchId === undefined || cursor === undefined || game === undefined) return undefined
  const stamped = stampRecord(record.data, game.game, record.appendedAt, record.sequence)
  if (stamped === undefined) return undefined
  return { game, matchId, epoch: cursor.epoch, seq: cursor.seq, at: record.appendedAt, position: record.sequence, ...stamped }
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
 * Links a frame to the one it is based on. `before` is the newest frame of the match. Returns false if the document can
 * be built neither from `before` nor from the frame itself; the next keyframe makes it possible again.
 */
export const link = (frame: Frame, before: Frame | undefined): boolean => {
  // A keyframe is not linked, so that the frames before it can be freed.
  if (standsAlone(frame)) return true
  if (before === undefined || !follows(frame, before)) return false
  frame.before = before
  return true
}
