/**
 * Estimates how far the clock of a game server is from UTC. All times are in milliseconds.
 *
 * The first estimate is that of a time zone, because servers write their local time. Later it is kept, until the clock has
 * gone back or is ahead of the clock of this process. Then the newest line counts as written now: a second guess at a time
 * zone could move the rest of a match by hours.
 *
 * A log whose date no time zone explains is a recording, or the clock of its server is wrong. A recording may be sent faster
 * than it was written. Its times are then moved so far back that the distances between its lines are kept and no line lies
 * in the future. They decide which deaths were traded, for example.
 */

/** Lines between which the clock did not go back. `wentBack` is the time before `first`, if it went back there. */
interface Stretch {
  readonly first: number
  readonly last: number
  readonly wentBack: number | undefined
}

/** Offsets of time zones are multiples of 15 minutes. */
const QUARTER_MS = 15 * 60_000
/** More than the distance of any time zone from UTC. */
const FARTHEST_ZONE_MS = 26 * 3_600_000
/** By how much a line may be ahead of this process's clock before the estimate is renewed. */
const MOST_LEAD_MS = 5_000
/** A server sends its lines at least this often. More in one post is a recording, if its date is of another day. */
const LONGEST_LIVE_POST_MS = 10_000
/** How far the times of a recording are moved back: longer than any match. */
const RECORDED_MS = 6 * 3_600_000

/** Offset to add to a time in the log to get UTC. `known` is the offset so far, or `null` before the first line. */
export const offsetOf = ({ first, last, wentBack }: Stretch, receivedAt: number, known: number | null): number => {
  const isOfAnotherDay = Math.abs(receivedAt - last) > FARTHEST_ZONE_MS
  const now = receivedAt - last
  if (wentBack !== undefined && known !== null) return isOfAnotherDay ? known + wentBack - first : now
  if (known === null && isOfAnotherDay) return last - first > LONGEST_LIVE_POST_MS ? now - RECORDED_MS : now
  const offset = known ?? Math.round(now / QUARTER_MS) * QUARTER_MS
  if (last + offset <= receivedAt + MOST_LEAD_MS) return offset
  return known !== null && isOfAnotherDay ? now - RECORDED_MS : now
}
