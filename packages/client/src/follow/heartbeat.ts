/**
 * What a heartbeat tells: that the connection lives, and how far the server is. A follower that is behind without having been told
 * has lost something on the way, and asks for it.
 */
import type { Heartbeat } from "@matchpoint/contracts/stream/messages"
import { HashMap } from "effect"
import { notice, quiet } from "./answers.ts"
import type { FollowState, Step, Track } from "./FollowState.ts"
import { isFinal, resync, rewind, trackOf } from "./resume.ts"

/** Heartbeats until a follower that may lawfully lag a little asks. */
const PATIENCE = 2

export const heartbeat = (before: FollowState, { at, matches }: Heartbeat): Step => {
  const emit = [notice({ type: "heartbeat", at, matches })]
  // Before all has come, being behind is only natural.
  if (!before.caughtUp) return { ...quiet(before), emit }
  const { settings } = before
  const { behind, state } = compare(before, matches)
  const only = settings.matchId === undefined ? undefined : trackOf(state, settings.matchId)
  if (only !== undefined && isFinal(only) && behind === undefined && settings.endWithMatch)
    return { ...quiet(state), emit, next: { _tag: "End" } }
  if (behind !== undefined) {
    emit.push(notice({ type: "healing", matchId: behind.matchId, reason: "behind" }))
    const tracks = HashMap.set(state.tracks, behind.matchId, { ...behind, health: "rewinding" as const, behindFor: 0 })
    const asked = rewind({ ...state, tracks }, behind)
    return { ...asked, emit }
  }
  return state.unknownFor >= patienceOf(state) ? { ...resync({ ...state, unknownFor: 0 }), emit } : { ...quiet(state), emit }
}

/** Conflated frames come later than the heartbeat that names them, and so may those of a follower that catches up in its own time. */
const patienceOf = ({ settings, slow }: FollowState): number => (settings.maxRateMs === undefined && slow !== "catchup" ? 1 : PATIENCE)

const compare = (state: FollowState, matches: Heartbeat["matches"]) => {
  const patience = patienceOf(state)
  let behind: Track | undefined
  let unknown = false
  let tracks = state.tracks
  const named = new Set<string>()
  for (const { epoch, matchId, seq } of matches) {
    named.add(matchId)
    const track = trackOf(state, matchId)
    if (track === undefined) unknown = true
    else if (epoch < track.epoch || (epoch === track.epoch && seq <= track.heard)) {
      if (track.behindFor > 0 || track.unnamedFor > 0) tracks = HashMap.set(tracks, matchId, { ...track, behindFor: 0, unnamedFor: 0 })
    } else {
      const late = { ...track, behindFor: track.behindFor + 1, unnamedFor: 0 }
      tracks = HashMap.set(tracks, matchId, late)
      if (late.behindFor >= patience) behind ??= late
    }
  }
  if (state.settings.matchId === undefined) {
    for (const track of HashMap.values(state.tracks)) {
      if (named.has(track.matchId)) continue
      // Over for good; frames may follow the end for some seconds.
      tracks =
        track.unnamedFor + 1 < PATIENCE
          ? HashMap.set(tracks, track.matchId, { ...track, unnamedFor: track.unnamedFor + 1 })
          : HashMap.remove(tracks, track.matchId)
    }
  }
  return { behind, state: { ...state, tracks, unknownFor: unknown ? state.unknownFor + 1 : 0 } }
}
