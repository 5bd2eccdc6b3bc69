/**
 * The protocol of following, as a pure function: what a client makes of what it hears, and what it says. It knows no sockets, clock
 * or chance; they come in with the input. Guarantee: every seq of a match is told once, in order, or named in `missing`.
 */
import type { FullCursor } from "@matchpoint/contracts/stream/cursors"
import type { Shape } from "@matchpoint/contracts/stream/frames"
import type { MissingRange } from "@matchpoint/contracts/stream/messages"
import { HashMap, Option } from "effect"
import type { LiveChange } from "../LiveChange.ts"
import { fail, notice, quiet } from "./answers.ts"
import { closed, reconnect } from "./closed.ts"
import type { FollowInput, FollowItem, FollowState, Step, Track } from "./FollowState.ts"
import { hearFrame, missFrames, type Telling } from "./hearFrame.ts"
import { heartbeat } from "./heartbeat.ts"
import { DELTA, type IncomingFrame, type IncomingMessage, SNAPSHOT, UPDATE } from "./IncomingMessage.ts"
import { cursorOf, healed, isFinal, resync, rewind, subscription, trackOf } from "./resume.ts"

/** How long a connection may be silent, ms: 2.5 heartbeats; before `ready`, the time a handshake may take. */
export const silenceLimitMs = ({ heartbeatSeconds }: FollowState): number =>
  heartbeatSeconds === undefined ? 10_000 : heartbeatSeconds * 2_500

export const step = (state: FollowState, input: FollowInput): Step => {
  switch (input._tag) {
    case "Opened":
      return { ...quiet(state), send: state.settings.canSend ? [subscription(state)] : [] }
    case "Heard": {
      // Over SSE the server says which events may be resumed from.
      const placed = input.cursor === undefined || state.settings.matchId !== undefined ? state : { ...state, cursor: input.cursor }
      return hear(placed, input.message, input.now)
    }
    case "Silent":
      return reconnect(state, "nothing was heard for too long", input)
    case "Closed":
      return closed(state, input)
  }
}

const hear = (state: FollowState, message: IncomingMessage, now: number): Step => {
  switch (message.type) {
    case "ready":
      return {
        ...quiet({ ...state, heartbeatSeconds: message.heartbeat_seconds, slow: message.slow, startAnew: false }),
        emit: [notice({ type: "connected", plan: message.plan, delaySeconds: message.delay_seconds })],
      }
    case "resumed": {
      const { missing, verdict } = message
      // What was asked for again comes now, or never.
      const rewound = HashMap.map(state.tracks, (track): Track => (track.health === "rewinding" ? healed(track) : track))
      const tracks = verdict === "reset" ? HashMap.map(rewound, doubtful) : withoutFrames(rewound, missing)
      return {
        ...quiet({ ...state, tracks, verdict, orderly: verdict === "recovered", caughtUp: false }),
        emit: [notice({ type: "resumed", verdict, missing })],
      }
    }
    case "gap": {
      const reason = message.reason === "slow" ? "slow" : "log"
      return {
        ...quiet({ ...state, tracks: withoutFrames(state.tracks, message.missing), orderly: false, caughtUp: false }),
        emit: [notice({ type: "gap", reason, missing: message.missing })],
      }
    }
    case "caught_up":
      return caughtUp(state, now)
    case "heartbeat":
      return heartbeat(state, message)
    case "reconnect":
      return { ...quiet({ ...state, backAt: now + message.after_ms }), next: { _tag: "Leave", afterMs: message.after_ms } }
    case "error":
      return trouble(state, message.code, message.message)
    case UPDATE:
    case DELTA:
    case SNAPSHOT:
      return hearMatch(state, message)
  }
}

const hearMatch = (state: FollowState, frame: IncomingFrame): Step => {
  const { settings } = state
  if (settings.matchId !== undefined && frame.matchId !== settings.matchId) return quiet(state)
  const { hole, need, telling, track } = hearFrame(trackOf(state, frame.matchId), frame, settings.maxRateMs !== undefined)
  let next: FollowState = { ...state, tracks: HashMap.set(state.tracks, frame.matchId, track) }
  if (track.badHashes > 3) {
    return { ...quiet(next), next: fail(next, "Protocol", `${frame.matchId}: documents do not fit their hash, whatever is done`) }
  }
  const emit: Array<FollowItem> = []
  if (hole !== undefined) {
    emit.push(notice({ type: "gap", reason: "hole", missing: [{ matchId: frame.matchId, epoch: frame.epoch, ...hole }] }))
  }
  if (need === undefined && settings.matchId === undefined && isAdvance(next, frame)) next = { ...next, cursor: cursorOf(frame) }
  if (telling !== undefined) {
    emit.push({ _tag: "Change", change: changeOf(next, telling) })
    next = { ...next, verdict: undefined }
  }
  if (need === undefined) return { state: next, emit, send: [], next: undefined }
  if (need.how === "resync" && !next.caughtUp) return { state: next, emit, send: [], next: undefined }
  emit.push(notice({ type: "healing", matchId: frame.matchId, reason: need.why }))
  const asked = need.how === "rewind" ? rewind(next, track) : resync(next)
  return { ...asked, emit: [...emit, ...asked.emit] }
}

/** The cursor of `all` moves with frames that come in the order of the log. Snapshots say nothing of what lies before them. */
const isAdvance = (state: FollowState, frame: IncomingFrame): boolean =>
  (state.caughtUp || state.orderly) && frame.type !== SNAPSHOT && frame.position > (state.cursor?.position ?? 0) && !isRewinding(state)

const caughtUp = (state: FollowState, now: number): Step => {
  const { settings } = state
  const emit = [notice({ type: "live" })]
  const unanswered = [...HashMap.values(state.tracks)].filter(({ health }) => health === "asked" || health === "doubtful")
  if (settings.matchId !== undefined && unanswered.length > 0) return reconnect(state, "the match was not sent again", { now, random: 1 })
  let live: FollowState = { ...state, caughtUp: true, orderly: true, succeeded: true }
  // A match of `all` that was asked for and did not come is not live any more.
  for (const track of unanswered) {
    live = { ...live, tracks: HashMap.remove(live.tracks, track.matchId) }
    const { epoch, heard, matchId, told } = track
    if (told !== undefined && told < heard) {
      emit.push(notice({ type: "gap", reason: "log", missing: [{ matchId, epoch, from: told + 1, to: heard }] }))
    }
  }
  const newest = settings.matchId === undefined && !isRewinding(live) ? newestOf(live) : undefined
  if (newest !== undefined && newest.position > (live.cursor?.position ?? 0)) live = { ...live, cursor: newest }
  if (!HashMap.some(live.tracks, (track) => track.health === "wanted")) return { ...quiet(live), emit }
  return { ...resync(live), emit }
}

/** Frames of a match are still to come that lie before those of others. */
const isRewinding = ({ tracks }: FollowState): boolean => HashMap.some(tracks, (track) => track.health === "rewinding")

const doubtful = (track: Track): Track => ({ ...track, document: undefined, health: "doubtful" })

const newestOf = (state: FollowState) => {
  let newest: FullCursor | undefined
  for (const { epoch, heard, matchId, position } of HashMap.values(state.tracks)) {
    if (newest === undefined || position > newest.position) newest = { matchId, epoch, seq: heard, position }
  }
  return newest
}

/** What the server complains of. What belongs to a connection that is about to close is answered when it closes. */
const trouble = (state: FollowState, code: string, message: string): Step => {
  switch (code) {
    case "MATCH_NOT_FOUND": {
      const known = state.settings.matchId === undefined ? undefined : trackOf(state, state.settings.matchId)
      return { ...quiet(state), next: known !== undefined && isFinal(known) ? { _tag: "End" } : fail(state, "MatchNotFound", message) }
    }
    case "TOO_MANY_ROOMS":
    case "TOO_MANY_REPLAYS":
    case "RATE_LIMIT_EXCEEDED":
      return { ...quiet(state), next: fail(state, "LimitExceeded", message, { code }) }
    case "INVALID_API_KEY":
      return { ...quiet(state), next: fail(state, "Unauthorized", message, { code }) }
    case "PLAN_REQUIRED":
    case "GAME_NOT_INCLUDED":
    case "HISTORY_LIMIT":
      return { ...quiet(state), next: fail(state, "PlanRequired", message, { code }) }
    case "UNKNOWN_ROOM":
    case "MALFORMED_MESSAGE":
    case "BINARY_NOT_SUPPORTED":
      return { ...quiet(state), next: fail(state, "Protocol", message, { code }) }
    default:
      return quiet(state)
  }
}

const withoutFrames = (tracks: FollowState["tracks"], missing: ReadonlyArray<MissingRange>): FollowState["tracks"] => {
  let left = tracks
  for (const { epoch, matchId, to } of missing) {
    const track = Option.getOrUndefined(HashMap.get(left, matchId))
    if (track !== undefined && track.epoch === epoch) left = HashMap.set(left, matchId, missFrames(track, { to }))
  }
  return left
}

const changeOf = (state: FollowState, { base, document, events, missing, track }: Telling): LiveChange<Shape, string> => {
  const { epoch, heard, matchId, position, times } = track
  const cursor = { matchId, epoch, seq: heard, position }
  return {
    matchId,
    epoch,
    seq: heard,
    position,
    base,
    ...times,
    // The server made them from this contract, and documents carry a hash.
    events: events as LiveChange<Shape, string>["events"],
    missing,
    match: document as LiveChange<Shape, string>["match"],
    resumed: state.verdict,
    cursor: state.settings.matchId !== undefined || state.cursor?.position === position ? cursor : undefined,
  }
}
