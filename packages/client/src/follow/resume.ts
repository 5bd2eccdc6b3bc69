/** How a follower goes on where it was: what it subscribes to, and how it has frames or documents sent again. */
import type { Cursor, FullCursor } from "@matchpoint/contracts/stream/cursors"
import type { ClientMessage } from "@matchpoint/contracts/stream/messages"
import type { MatchId } from "@matchpoint/domain/ids"
import { HashMap, Option } from "effect"
import { quiet } from "./answers.ts"
import { type FollowState, roomOf, type Step, type Track } from "./FollowState.ts"

export const trackOf = (state: FollowState, matchId: MatchId): Track | undefined =>
  Option.getOrUndefined(HashMap.get(state.tracks, matchId))

export const cursorOf = ({ epoch, matchId, position, seq }: FullCursor): FullCursor => ({ matchId, epoch, seq, position })

/** Where the room goes on; undefined: from the beginning. */
export const resumeCursor = (state: FollowState): FullCursor | undefined => {
  if (state.startAnew) return undefined
  const { matchId } = state.settings
  if (matchId === undefined) return state.cursor
  const track = trackOf(state, matchId)
  return track === undefined ? undefined : cursorOfTrack(track)
}

export const subscription = (state: FollowState): ClientMessage => subscribe(state, resumeCursor(state))

/** Has the frames after the track's last one sent again. Frames that were told already will be passed over. */
export const rewind = (state: FollowState, track: Track): Step => {
  const { canSend, matchId } = state.settings
  // Seen from `all`, other matches may have gone on since: they come twice and are dropped.
  const hole = cursorOfTrack(track)
  const earlier = state.cursor !== undefined && state.cursor.position < hole.position ? state.cursor : hole
  // If the connection ends before the frames arrive, the next one resumes from before the hole too.
  const back = matchId === undefined && (state.cursor !== undefined || !canSend) ? { ...state, cursor: earlier } : state
  if (canSend) {
    const cursor = isAwaiting(state, track) ? earlier : hole
    return { ...quiet({ ...back, caughtUp: false, orderly: false }), send: [subscribe(state, cursor)] }
  }
  return { ...quiet(offline(back)), next: { _tag: "Reconnect", afterMs: state.settings.baseDelayMs } }
}

/** Returns true if another match waits for frames that were requested again. */
const isAwaiting = ({ tracks }: FollowState, track: Track): boolean =>
  HashMap.some(tracks, ({ health, matchId }) => health === "rewinding" && matchId !== track.matchId)

/** Has the documents sent again. */
export const resync = (state: FollowState): Step => {
  const { settings } = state
  const tracks = HashMap.map(state.tracks, (track): Track => (track.health === "wanted" ? { ...track, health: "asked" } : track))
  if (settings.canSend) {
    return { ...quiet({ ...state, tracks, caughtUp: false, orderly: false }), send: [{ action: "resync", rooms: [roomOf(settings)] }] }
  }
  return { ...quiet({ ...offline(state), tracks, startAnew: true }), next: { _tag: "Reconnect", afterMs: settings.baseDelayMs } }
}

/** Of a connection that is over nothing remains but where we were. */
export const offline = (state: FollowState): FollowState => ({
  ...state,
  backAt: undefined,
  caughtUp: false,
  orderly: false,
  succeeded: false,
  heartbeatSeconds: undefined,
  verdict: undefined,
})

/** What was asked for has come as far as it ever will. */
export const healed = (track: Track): Track => ({
  ...track,
  health: track.document === undefined ? "wanted" : "well",
  rewoundAt: track.heard,
})

/** In either shape the document says it under the same name. */
export const isFinal = ({ document }: Track): boolean => document?.["status"] === "completed" || document?.["status"] === "cancelled"

const cursorOfTrack = ({ epoch, heard, matchId, position }: Track): FullCursor => ({ matchId, epoch, seq: heard, position })

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
