/** How a follower continues: what it subscribes to, and how it requests frames or documents again. */
import type { Cursor } from "@matchpoint/contracts/stream/cursors"
import type { FullCursor } from "@matchpoint/contracts/stream/cursorText"
import type { ClientMessage } from "@matchpoint/contracts/stream/messages"
import type { MatchId } from "@matchpoint/domain/ids"
import { type FollowState, roomOf, type Step, type Track } from "./FollowState.ts"
import { unchanged } from "./stepParts.ts"
import { mapTracks, someTrack } from "./tracks.ts"

export const trackOf = (state: FollowState, matchId: MatchId): Track | undefined => state.tracks.get(matchId)

export const cursorOf = ({ epoch, matchId, position, seq }: FullCursor): FullCursor => ({ matchId, epoch, seq, position })

/** Where the room continues; undefined: with snapshots. */
export const resumeCursor = (state: FollowState): FullCursor | undefined => {
  if (state.startAnew) return undefined
  const { matchId } = state.settings
  if (matchId === undefined) return state.cursor
  const track = trackOf(state, matchId)
  return track === undefined ? undefined : cursorOfTrack(track)
}

export const subscription = (state: FollowState): ClientMessage => subscribe(state, resumeCursor(state))

/** Requests the frames after the track's last one again. Frames that arrive twice are dropped. */
export const rewind = (state: FollowState, track: Track): Step => {
  const { canSend, matchId } = state.settings
  // In the room `all`, newer frames of other matches arrive twice and are dropped.
  const hole = cursorOfTrack(track)
  const earlier = state.cursor !== undefined && state.cursor.position < hole.position ? state.cursor : hole
  // If the connection ends before the frames arrive, the next one resumes from before the hole too.
  const back = matchId === undefined && (state.cursor !== undefined || !canSend) ? { ...state, cursor: earlier } : state
  if (canSend) {
    const cursor = isAwaiting(state, track) ? earlier : hole
    return { ...unchanged({ ...back, caughtUp: false, orderly: false }), send: [subscribe(state, cursor)] }
  }
  return { ...unchanged(offline(back)), next: { _tag: "Reconnect", afterMs: state.settings.baseDelayMs, atLeastMs: 0 } }
}

/** Returns true if another match waits for frames that were requested again. */
const isAwaiting = ({ tracks }: FollowState, track: Track): boolean =>
  someTrack(tracks, ({ health, matchId }) => health === "rewinding" && matchId !== track.matchId)

/** Requests the documents again. */
export const resync = (state: FollowState): Step => {
  const { settings } = state
  const tracks = mapTracks(state.tracks, (track) => (track.health === "needed" ? { ...track, health: "requested" } : track))
  if (settings.canSend) {
    return { ...unchanged({ ...state, tracks, caughtUp: false, orderly: false }), send: [{ action: "resync", rooms: [roomOf(settings)] }] }
  }
  return {
    ...unchanged({ ...offline(state), tracks, startAnew: true }),
    next: { _tag: "Reconnect", afterMs: settings.baseDelayMs, atLeastMs: 0 },
  }
}

/** The state after a connection: only the place in each match remains. */
export const offline = (state: FollowState): FollowState => ({
  ...state,
  backAt: undefined,
  caughtUp: false,
  orderly: false,
  succeeded: false,
  heartbeatSeconds: undefined,
  verdict: undefined,
})

/** The track after the server has answered a rewind. */
export const healed = (track: Track): Track => ({
  ...track,
  health: track.document === undefined ? "needed" : "current",
  rewoundAt: track.received,
})

/** Both shapes have the status under the same name. */
export const isFinal = ({ document }: Track): boolean => document?.["status"] === "completed" || document?.["status"] === "cancelled"

const cursorOfTrack = ({ epoch, received, matchId, position }: Track): FullCursor => ({ matchId, epoch, seq: received, position })

const subscribe = ({ settings }: FollowState, cursor: Cursor | undefined): ClientMessage => {
  const room = roomOf(settings)
  return {
    action: "subscribe",
    rooms: [room],
    ...(cursor === undefined ? {} : { resume: { [room]: cursor } }),
    shape: settings.shape,
    ...(settings.maxRateMs === undefined ? {} : { maxRateMs: settings.maxRateMs }),
  }
}
