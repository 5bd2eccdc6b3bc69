/** Decides how a client continues after its connection was closed or refused. */
import { closeCodes, shouldReconnect } from "@matchpoint/contracts/stream/closeCodes"
import { backoffMs } from "./backoff.ts"
import type { FollowInput, FollowState, Step, Track } from "./FollowState.ts"
import type { LiveFailureReason } from "./LiveFailure.ts"
import { isFinal, offline, trackOf } from "./resume.ts"
import { fail, notice, unchanged } from "./stepParts.ts"
import { mapTracks } from "./tracks.ts"

type Closed = Extract<FollowInput, { readonly _tag: "Closed" }>

export const closed = (state: FollowState, input: Closed): Step => {
  const { code, error, reason, retryAfterMs, status } = input
  if (error?.code === "PLAN_REQUIRED" && state.settings.canFallBack) return fallBack(state, error.message)
  if (status !== undefined && (!isTransient(status) || error?.limit === "requests_per_month")) return refused(state, status, input)
  if (code !== undefined && !shouldReconnect(code)) {
    return { ...unchanged(state), next: fail(state, reasonOfCode(code), `closed with ${code}: ${reason}`) }
  }
  return reconnect(state, reason, input, retryAfterMs)
}

const reasonOfCode = (code: number): LiveFailureReason => {
  switch (code) {
    case closeCodes.tooManyMessages.code:
    case closeCodes.quotaUsedUp.code:
      return "LimitExceeded"
    case closeCodes.keyEnded.code:
      return "Unauthorized"
    default:
      return "Refused"
  }
}

/** The fallback resumes from the current cursor. */
const fallBack = (state: FollowState, reason: string): Step => {
  const next = { ...disconnected(state), settings: { ...state.settings, canFallBack: false }, failures: 0 }
  return { ...unchanged(next), emit: [notice({ type: "stale", reason, retryInMs: 0 })], next: { _tag: "FallBack" } }
}

export const reconnect = (
  state: FollowState,
  reason: string,
  { now, random }: { readonly now: number; readonly random: number },
  atLeastMs = 0,
): Step => {
  const { maxAttempts } = state.settings
  const failures = state.succeeded ? 0 : state.failures + 1
  if (failures > 0 && failures >= maxAttempts) {
    return { ...unchanged(state), next: fail(state, "Unreachable", `${maxAttempts} attempts to connect have failed; the last: ${reason}`) }
  }
  const requestedMs = state.backAt === undefined ? atLeastMs : Math.max(0, state.backAt - now)
  const ownMs = state.backAt === undefined ? backoffMs(Math.max(0, failures - 1), random, state.settings) : 0
  const afterMs = Math.max(requestedMs, ownMs)
  return {
    ...unchanged({ ...disconnected(state), failures }),
    emit: [notice({ type: "stale", reason, retryInMs: afterMs })],
    next: { _tag: "Reconnect", afterMs, atLeastMs: requestedMs },
  }
}

/** The next connection will not answer requests that were sent on this one. */
const disconnected = (state: FollowState): FollowState => ({
  ...offline(state),
  tracks: mapTracks(state.tracks, (track) => (track.health === "current" ? track : again(track))),
})

const again = (track: Track): Track => ({ ...track, health: track.document === undefined ? "needed" : "current", rewoundAt: undefined })

const isTransient = (status: number): boolean => status === 408 || status === 425 || status === 429 || status >= 500

const refused = (state: FollowState, status: number, { error, reason, retryAfterMs }: Closed): Step => {
  const { matchId } = state.settings
  const known = matchId === undefined ? undefined : trackOf(state, matchId)
  if (status === 404 && known !== undefined && isFinal(known)) return { ...unchanged(state), next: { _tag: "End" } }
  const why = status === 404 && matchId === undefined ? "Refused" : (reasonOfStatus[status] ?? "Refused")
  const details = { ...(error === undefined ? {} : { code: error.code }), ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
  return { ...unchanged(state), next: fail(state, why, error?.message ?? reason, details) }
}

const reasonOfStatus: Readonly<Record<number, LiveFailureReason>> = {
  401: "Unauthorized",
  403: "PlanRequired",
  404: "MatchNotFound",
  429: "LimitExceeded",
}
