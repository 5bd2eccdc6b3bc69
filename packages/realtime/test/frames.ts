/** Records and frames for tests, as small as they can be. */
import { liveMessageId, liveSubject } from "@matchpoint/contracts/bus/subjects"
import { encodeRecord } from "@matchpoint/contracts/stream/frames"
import { matchId } from "@matchpoint/domain/cs2/ids"
import type { MatchId } from "@matchpoint/domain/ids"
import { type Frame, frameOfRecord, type LiveRecord } from "../src/Frame.ts"

export const id = matchId(1001)

export interface Options {
  readonly match?: MatchId
  readonly epoch?: number
  readonly at?: number
  readonly position?: number
  readonly status?: string
  readonly event?: object
}

export const record = (seq: number, options: Options = {}): LiveRecord => {
  const match = options.match ?? id
  const epoch = options.epoch ?? 1
  return {
    subject: liveSubject(match),
    id: liveMessageId(match, epoch, seq),
    sequence: options.position ?? seq,
    data: encodeRecord(
      `{"type":"cs2.live.update","matchId":"${match}","epoch":${epoch},"seq":${seq},"event":${JSON.stringify(options.event ?? null)},"data":{"matchId":"${match}","status":"${options.status ?? "live"}"}}`,
      `{"type":"cs2.live.delta","matchId":"${match}","epoch":${epoch},"seq":${seq},"base":${seq - 1},"events":[],"patch":{}}`,
    ),
    appendedAt: options.at ?? seq,
  }
}

export const frame = (seq: number, options: Options = {}): Frame => {
  const made = frameOfRecord(record(seq, options))
  if (made === undefined) throw new Error("the test's record is no frame")
  return made
}
