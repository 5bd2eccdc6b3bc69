/**
 * The client's side of the live protocol, as a pure function of state and input, which contains time and random
 * numbers. Guarantee: every sequence number of a match is either delivered exactly once and in order, or listed in
 * `missing`.
 */
import type { FullCursor } from "@matchpoint/contracts/stream/cursorText"
import type { Shape } from "@matchpoint/contracts/stream/frames"
import type { MissingRange } from "@matchpoint/contracts/stream/messages"
import type { LiveChange } from "../LiveChange.ts"
import { applyFrame, type Delivery, missFrames } from "./applyFrame.ts"
import { closed, reconnect } from "./closed.ts"
import type { FollowInput, FollowItem, FollowState, Step, Track } from "./FollowState.ts"
import { heartbeat } from "./heartbeat.ts"
import { DELTA, type IncomingFrame, type IncomingMessage, SNAPSHOT, UPDATE } from "./IncomingMessage.ts"
import { cursorOf, healed, isFinal, resync, rewind, subscription, trackOf } from "./resume.ts"
import { fail, notice, unchanged } from "./stepParts.ts"
import { mapTracks, someTrack, withoutTrack, withTrack } from "./tracks.ts"

/** How long a connection may be silent, in milliseconds: 2.5 heartbeat intervals, or 10 s until the message `ready`. */
export const silenceLimitMs = ({ heartbeatSeconds }: FollowState): number =>
  heartbeatSeconds === undefined ? 10_000 : heartbeatSeconds * 2_500

export const step = (state: FollowState, input: FollowInput): Step => {
  switch (input._tag) {
    case "Opened":
      return { ...unchanged(state), send: state.settings.canSend ? [subscription(state)] : [] }
    case "Received": {
      // Over server-sent events, the id of an event is a cursor at which the stream can resume.
      const placed = input.cursor === undefined || state.settings.matchId !== undefined ? state : { ...state, cursor: input.cursor }
      return receive(placed, input.message, input.now)
    }
    case "Silent":
      return reconnect(state, "nothing was received for too long", input)
    case "Closed":
      return closed(state, input)
  }
}

const transportOf = ({ settings }: FollowState) => (settings.canSend ? "websocket" : "sse")

const receive = (state: FollowState, message: IncomingMessage, now: number): Step => {
  switch (message.type) {
    case "ready":
      return {
        ...unchanged({ ...state, heartbeatSeconds: message.heartbeat_seconds, slow: message.slow, needsSnapshots: false }),
        emit: [notice({ type: "connected", plan: message.plan, delaySeconds: message.delay_seconds, transport: transportOf(state) })],
      }
    case "resumed": {
      const { missing, verdict } = message
      // `resumed` answers the request to resend frames. Those in `missing` are lost: the server no longer has them.
      const rewound = mapTracks(state.tracks, (track) => (track.health === "rewinding" ? healed(track) : track))
      const tracks = verdict === "reset" ? mapTracks(rewound, doubtful) : withoutFrames(rewound, missing)
      return {
        ...unchanged({ ...state, tracks, verdict, orderly: verdict === "recovered", caughtUp: false }),
        emit: [notice({ type: "resumed", verdict, missing })],
      }
    }
    case "gap": {
      const reason = message.reason === "slow" ? "slow" : "log"
      return {
        ...unchanged({ ...state, tracks: withoutFrames(state.tracks, message.missing), orderly: false, caughtUp: false }),
        emit: [notice({ type: "gap", reason, missing: message.missing })],
      }
    }
    case "caught_up":
      return caughtUp(state, now)
    case "heartbeat":
      return heartbeat(state, message)
    case "reconnect":
      return { ...unchanged({ ...state, backAt: now + message.after_ms }), next: { _tag: "Leave", afterMs: message.after_ms } }
    case "error":
      return streamError(state, message.code, message.message)
    case UPDATE:
    case DELTA:
    case SNAPSHOT:
      return receiveFrame(state, message)
  }
}

const receiveFrame = (state: FollowState, frame: IncomingFrame): Step => {
  const { settings } = state
  if (settings.matchId !== undefined && frame.matchId !== settings.matchId) return unchanged(state)
  const { hole, need, delivery, track } = applyFrame(trackOf(state, frame.matchId), frame, settings.maxRateMs !== undefined)
  let next: FollowState = { ...state, tracks: withTrack(state.tracks, track) }
  if (track.badHashes > 3) {
    return { ...unchanged(next), next: fail(next, "Protocol", `${frame.matchId}: documents repeatedly do not match their hash`) }
  }
  const emit: Array<FollowItem> = []
  if (hole !== undefined) {
    emit.push(notice({ type: "gap", reason: "hole", missing: [{ matchId: frame.matchId, epoch: frame.epoch, ...hole }] }))
  }
  if (need === undefined && settings.matchId === undefined && isAdvance(next, frame)) next = { ...next, cursor: cursorOf(frame) }
  if (delivery !== undefined) {
    emit.push({ _tag: "Change", change: changeOf(next, delivery) })
    next = { ...next, verdict: undefined }
  }
  if (need === undefined) return { state: next, emit, send: [], next: undefined }
  if (need.how === "resync" && !next.caughtUp) return { state: next, emit, send: [], next: undefined }
  emit.push(notice({ type: "healing", matchId: frame.matchId, reason: need.why }))
  const requested = need.how === "rewind" ? rewind(next, track) : resync(next)
  return { ...requested, emit: [...emit, ...requested.emit] }
}

/**
 * Only frames in log order advance the cursor of a stream of all matches. A snapshot does not imply that all earlier
 * frames have arrived.
 */
const isAdvance = (state: FollowState, frame: IncomingFrame): boolean =>
  (state.caughtUp || state.orderly) && frame.type !== SNAPSHOT && frame.position > (state.cursor?.position ?? 0) && !isRewinding(state)

const caughtUp = (state: FollowState, now: number): Step => {
  const { settings } = state
  const emit = [notice({ type: "live" })]
  const unanswered = [...state.tracks.values()].filter(({ health }) => health === "requested" || health === "doubtful")
  if (settings.matchId !== undefined && unanswered.length > 0) return reconnect(state, "the match was not sent again", { now, random: 1 })
  let live: FollowState = { ...state, caughtUp: true, orderly: true, succeeded: true }
  // A requested document that did not arrive belongs to a match that is no longer live.
  for (const track of unanswered) {
    live = { ...live, tracks: withoutTrack(live.tracks, track.matchId) }
    const { epoch, received, matchId, delivered } = track
    if (delivered !== undefined && delivered < received) {
      emit.push(notice({ type: "gap", reason: "log", missing: [{ matchId, epoch, from: delivered + 1, to: received }] }))
    }
  }
  const newest = settings.matchId === undefined && !isRewinding(live) ? newestOf(live) : undefined
  if (newest !== undefined && newest.position > (live.cursor?.position ?? 0)) live = { ...live, cursor: newest }
  if (!someTrack(live.tracks, (track) => track.health === "needed")) return { ...unchanged(live), emit }
  return { ...resync(live), emit }
}

/** In the log, requested frames precede frames of other matches that have arrived: the cursor must not advance yet. */
const isRewinding = ({ tracks }: FollowState): boolean => someTrack(tracks, (track) => track.health === "rewinding")

const doubtful = (track: Track): Track => ({ ...track, document: undefined, health: "doubtful" })

const newestOf = (state: FollowState) => {
  let newest: FullCursor | undefined
  for (const { epoch, received, matchId, position } of state.tracks.values()) {
    if (newest === undefined || position > newest.position) newest = { matchId, epoch, seq: received, position }
  }
  return newest
}

/** Errors that only announce that the connection will close are handled when it closes. */
const streamError = (state: FollowState, code: string, message: string): Step => {
  switch (code) {
    case "MATCH_NOT_FOUND": {
      const known = state.settings.matchId === undefined ? undefined : trackOf(state, state.settings.matchId)
      return { ...unchanged(state), next: known !== undefined && isFinal(known) ? { _tag: "End" } : fail(state, "MatchNotFound", message) }
    }
    case "TOO_MANY_ROOMS":
    case "TOO_MANY_REPLAYS":
    case "RATE_LIMIT_EXCEEDED":
      return { ...unchanged(state), next: fail(state, "LimitExceeded", message, { code }) }
    case "INVALID_API_KEY":
      return { ...unchanged(state), next: fail(state, "Unauthorized", message, { code }) }
    case "PLAN_REQUIRED":
    case "GAME_NOT_INCLUDED":
    case "HISTORY_LIMIT":
      return { ...unchanged(state), next: fail(state, "PlanRequired", message, { code }) }
    case "UNKNOWN_ROOM":
    case "MALFORMED_MESSAGE":
    case "BINARY_NOT_SUPPORTED":
      return { ...unchanged(state), next: fail(state, "Protocol", message, { code }) }
    default:
      return unchanged(state)
  }
}

const withoutFrames = (tracks: FollowState["tracks"], missing: ReadonlyArray<MissingRange>): FollowState["tracks"] => {
  let left = tracks
  for (const { epoch, matchId, to } of missing) {
    const track = left.get(matchId)
    if (track !== undefined && track.epoch === epoch) left = withTrack(left, missFrames(track, { to }))
  }
  return left
}

const changeOf = (state: FollowState, { base, document, events, missing, track }: Delivery): LiveChange<Shape, string> => {
  const { epoch, received, matchId, position, times } = track
  const cursor = { matchId, epoch, seq: received, position }
  return {
    matchId,
    epoch,
    seq: received,
    position,
    base,
    ...times,
    // The casts rely on the API contract. The hash also verifies documents in message format v2.
    events: events as LiveChange<Shape, string>["events"],
    missing,
    match: document as LiveChange<Shape, string>["match"],
    resumed: state.verdict,
    cursor: state.settings.matchId !== undefined || state.cursor?.position === position ? cursor : undefined,
  }
}
