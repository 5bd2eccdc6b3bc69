/** The client's requests: to subscribe, and to send frames or documents again. */
import type { Cursor } from "@matchpoint/contracts/stream/cursors"
import type { FullCursor } from "@matchpoint/contracts/stream/cursorText"
import type { ClientMessage } from "@matchpoint/contracts/stream/messages"
import type { MatchId } from "@matchpoint/domain/ids"
import { type FollowState, roomOf, type Step, type Track } from "./FollowState.ts"
import { unchanged } from "./stepParts.ts"
import { mapTracks, someTrack } from "./tracks.ts"

export const trackOf = (state: FollowState, matchId: MatchId): Track | undefined => state.tracks.get(matchId)

export const cursorOf = ({ epoch, matchId, position, seq }: FullCursor): FullCursor => ({ matchId, epoch, seq, position })

/** Undefined if the stream starts with snapshots. */
export const resumeCursor = (state: FollowState): FullCursor | undefined => {
  if (state.needsSnapshots) return undefined
  const { matchId } = state.settings
  if (matchId === undefined) return state.cursor
  const track = trackOf(state, matchId)
  return track === undefined ? undefined : cursorOfTrack(track)
}

export const subscription = (state: FollowState): ClientMessage => subscribe(state, resumeCursor(state))

/** Requests the frames of this match after the last one received. Frames that arrive twice are dropped. */
export const rewind = (state: FollowState, track: Track): Step => {
  const { canSend, matchId } = state.settings
  // In a stream of all matches, the server also repeats newer frames of other matches. These duplicates are dropped.
  const hole = cursorOfTrack(track)
  const earlier = state.cursor !== undefined && state.cursor.position < hole.position ? state.cursor : hole
  // Moves the cursor back to before the gap. If the connection ends before the requested frames arrive, the next one
  // would otherwise resume after the gap.
  const back = matchId === undefined && (state.cursor !== undefined || !canSend) ? { ...state, cursor: earlier } : state
  if (canSend) {
    const cursor = isAwaiting(state, track) ? earlier : hole
    return { ...unchanged({ ...back, caughtUp: false, orderly: false }), send: [subscribe(state, cursor)] }
  }
  return { ...unchanged(offline(back)), next: { _tag: "Reconnect", afterMs: state.settings.baseDelayMs, atLeastMs: 0 } }
}

const isAwaiting = ({ tracks }: FollowState, track: Track): boolean =>
  someTrack(tracks, ({ health, matchId }) => health === "rewinding" && matchId !== track.matchId)

export const resync = (state: FollowState): Step => {
  const { settings } = state
  const tracks = mapTracks(state.tracks, (track) => (track.health === "needed" ? { ...track, health: "requested" } : track))
  if (settings.canSend) {
    return { ...unchanged({ ...state, tracks, caughtUp: false, orderly: false }), send: [{ action: "resync", rooms: [roomOf(settings)] }] }
  }
  return {
    ...unchanged({ ...offline(state), tracks, needsSnapshots: true }),
    next: { _tag: "Reconnect", afterMs: settings.baseDelayMs, atLeastMs: 0 },
  }
}

/** Discards everything about the connection that has ended. Keeps the position in each match. */
export const offline = (state: FollowState): FollowState => ({
  ...state,
  backAt: undefined,
  caughtUp: false,
  orderly: false,
  succeeded: false,
  heartbeatSeconds: undefined,
  verdict: undefined,
})

/** The state after the server has answered the request to send frames again. */
export const healed = (track: Track): Track => ({
  ...track,
  health: track.document === undefined ? "needed" : "current",
  rewoundAt: track.received,
})

/** Both message formats have the field `status`. */
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
