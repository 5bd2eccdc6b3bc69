// Owns the records of one match in the log.
import { liveMessageId, liveSubject } from "@matchpoint/contracts/bus/subjects"
import { KEYFRAME_EVERY } from "@matchpoint/contracts/stream/record"
import type { MatchId } from "@matchpoint/domain/ids"
import { type Changes, changesOf, FEED_STARTS_AT } from "../fanout/changes.ts"

/** Size of real deltas, bytes. */
const BYTES = 532

/** The first keyframe after the short records at the start of the simulated match. */
const FIRST_OF_FEED = Math.ceil(FEED_STARTS_AT / KEYFRAME_EVERY) * KEYFRAME_EVERY

let simulated: Changes | undefined

/**
 * Returns consecutive records of a match, the first of which contains the whole document. The records of a simulated
 * match contain its own id, whatever `match` is. A gateway does not compare them.
 */
export const recordsOf = ({
  count,
  kind,
  match,
}: {
  readonly kind: "frames" | "feed"
  readonly match: MatchId
  readonly count: number
}) => {
  const payload = { kind, shape: "v2", bytes: BYTES } as const
  if (kind === "feed") simulated ??= changesOf(payload)
  const changes = (kind === "feed" ? simulated : undefined) ?? changesOf(payload, match)
  const first = kind === "feed" ? FIRST_OF_FEED : 1
  return Array.from({ length: count }, (_, index) => {
    const { epoch, record, seq } = changes.make(first + index)
    return { subject: liveSubject(match), id: liveMessageId(match, epoch, seq), data: record() }
  })
}
