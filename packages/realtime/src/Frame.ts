/**
 * One change of a match as an edge holds it: the record's bytes, ready to send in shape v2. Shape v1 is made of it when asked for (see
 * Views). Shared by every room, ring and reader: nothing but the links below is ever set.
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
  /** When the log took it, epoch ms. */
  readonly at: number
  /** Its sequence in LIVE, over all matches. */
  readonly position: number
  readonly kind: RecordKind
  /** Shape v2: the delta against the frame before. */
  readonly delta: Uint8Array
  /** The record's other lines. */
  readonly rest: Uint8Array
  /** The seqs between the frame before and this one, both included, where the log had dropped them before we read it: a hole. */
  missing?: { readonly from: number; readonly to: number }
  /** The frame that it goes on from; undefined for one that carries its document. So at most 31 frames hang on one. */
  before?: Frame
  /** The feed in use after it. Set by the room that takes it. */
  source?: string
  /** Of the named change that it came with. Set by the room that takes it. */
  eventId?: string
}

/** Bytes of the record. */
export const sizeOf = ({ delta, rest }: Frame): number => delta.length + rest.length

/** Whether its document can be had without the frame before. */
export const standsAlone = ({ kind }: Frame): boolean => kind !== "change"

/** A record of LIVE. */
export interface LiveRecord {
  readonly subject: string
  readonly id: string
  readonly sequence: number
  readonly data: Uint8Array
  readonly appendedAt: number
}

/** Undefined: of a game that is not served here, or of a format that is not known. */
export const frameOfRecord = (record: LiveRecord, games: LiveContracts): Frame | undefined => {
  const matchId = matchOfSubject(record.subject)
  const cursor = cursorOfMessageId(record.id)
  const game = matchId === undefined ? undefined : games.get(gameOfMatch(matchId))
  if (matchId === undefined || cursor === undefined || game === undefined) return undefined
  const stamped = stampRecord(record.data, game.game, record.appendedAt, record.sequence)
  if (stamped === undefined) return undefined
  return { game, matchId, epoch: cursor.epoch, seq: cursor.seq, at: record.appendedAt, position: record.sequence, ...stamped }
}

/** True when `a` comes after `b` in the history of one match. */
export const isAfter = (
  a: { readonly epoch: number; readonly seq: number },
  b: { readonly epoch: number; readonly seq: number },
): boolean => a.epoch > b.epoch || (a.epoch === b.epoch && a.seq > b.seq)

/** True when `frame` is the change right after `before`. */
export const follows = (frame: Frame, before: { readonly epoch: number; readonly seq: number }): boolean =>
  frame.epoch === before.epoch && frame.seq === before.seq + 1

/**
 * Links a frame to the one that it goes on from. `before`: the newest frame of the match. False: neither that one nor the frame itself
 * has what its document is made from; the next keyframe has.
 */
export const link = (frame: Frame, before: Frame | undefined): boolean => {
  // A keyframe is not linked: what lies before it need not be kept for its sake.
  if (standsAlone(frame)) return true
  if (before === undefined || !follows(frame, before)) return false
  frame.before = before
  return true
}
