/**
 * A heartbeat shows that the connection is alive, and lists the newest sequence number of each match. If the client is
 * behind without a `gap` message, frames were lost in transit, and it requests them again.
 */
import type { Heartbeat } from "@matchpoint/contracts/stream/messages"
import type { FollowState, Step, Track } from "./FollowState.ts"
import { isFinal, resync, rewind, trackOf } from "./resume.ts"
import { notice, unchanged } from "./stepParts.ts"
import { withTrack } from "./tracks.ts"

/**
 * Consecutive heartbeats that must show a client behind if its frames may arrive late. For other clients, one is
 * enough.
 */
const PATIENCE = 2

export const heartbeat = (before: FollowState, { at, matches }: Pick<Heartbeat, "at" | "matches">): Step => {
  const emit = [notice({ type: "heartbeat", at, matches })]
  // Until the client has received everything that it missed, it is expected to be behind.
  if (!before.caughtUp) return { ...unchanged(before), emit }
  const { settings } = before
  const { behind, state } = compare(before, matches)
  const only = settings.matchId === undefined ? undefined : trackOf(state, settings.matchId)
  if (only !== undefined && isFinal(only) && behind === undefined && settings.endWithMatch)
    return { ...unchanged(state), emit, next: { _tag: "End" } }
  if (behind !== undefined) {
    emit.push(notice({ type: "healing", matchId: behind.matchId, reason: "behind" }))
    const tracks = withTrack(state.tracks, { ...behind, health: "rewinding", behindFor: 0 })
    return { ...rewind({ ...state, tracks }, behind), emit }
  }
  return state.unknownFor >= patienceOf(state) ? { ...resync({ ...state, unknownFor: 0 }), emit } : { ...unchanged(state), emit }
}

/** With `maxRateMs` or the policy `catchup`, frames may arrive after the heartbeat that lists them. */
const patienceOf = ({ settings, slow }: FollowState): number => (settings.maxRateMs === undefined && slow !== "catchup" ? 1 : PATIENCE)

const compare = (state: FollowState, matches: Heartbeat["matches"]) => {
  const patience = patienceOf(state)
  let behind: Track | undefined
  let unknown = false
  const tracks = new Map(state.tracks)
  const named = new Set<string>()
  for (const { epoch, matchId, seq } of matches) {
    named.add(matchId)
    const track = trackOf(state, matchId)
    if (track === undefined) unknown = true
    else if (epoch < track.epoch || (epoch === track.epoch && seq <= track.received)) {
      if (track.behindFor > 0 || track.unnamedFor > 0) tracks.set(matchId, { ...track, behindFor: 0, unnamedFor: 0 })
    } else {
      const late: Track = { ...track, behindFor: track.behindFor + 1, unnamedFor: 0 }
      tracks.set(matchId, late)
      if (late.behindFor >= patience) behind ??= late
    }
  }
  if (state.settings.matchId === undefined) {
    for (const track of state.tracks.values()) {
      if (named.has(track.matchId)) continue
      // A match that is not listed is over. Its state is kept a little longer, because frames may arrive for some
      // seconds after the end.
      if (track.unnamedFor + 1 < PATIENCE) tracks.set(track.matchId, { ...track, unnamedFor: track.unnamedFor + 1 })
      else tracks.delete(track.matchId)
    }
  }
  return { behind, state: { ...state, tracks, unknownFor: unknown ? state.unknownFor + 1 : 0 } }
}
