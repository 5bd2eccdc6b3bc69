/** What becomes of a follower whose connection ended, or never began. */
import { closeCodes, shouldReconnect } from "@matchpoint/contracts/stream/closeCodes"
import { HashMap } from "effect"
import type { LiveError } from "../LiveError.ts"
import { fail, notice, quiet } from "./answers.ts"
import { backoffMs } from "./backoff.ts"
import type { FollowInput, FollowState, Step, Track } from "./FollowState.ts"
import { isFinal, offline, trackOf } from "./resume.ts"

type Closed = Extract<FollowInput, { readonly _tag: "Closed" }>

export const closed = (state: FollowState, input: Closed): Step => {
  const { code, error, reason, retryAfterMs, status } = input
  if (error?.code === "PLAN_REQUIRED" && state.settings.canFallBack) return fallBack(state, error.message)
  if (status !== undefined && (!isTransient(status) || error?.limit === "requests_per_month")) return refused(state, status, input)
  if (code !== undefined && !shouldReconnect(code)) {
    return { ...quiet(state), next: fail(state, reasonOfCode(code), `closed with ${code}: ${reason}`) }
  }
  return reconnect(state, reason, input, retryAfterMs)
}

const reasonOfCode = (code: number): LiveError["reason"] => {
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

/** Over the other transport, from where we are. */
const fallBack = (state: FollowState, reason: string): Step => {
  const next = { ...disconnected(state), settings: { ...state.settings, canFallBack: false }, failures: 0 }
  return { ...quiet(next), emit: [notice({ type: "stale", reason, retryInMs: 0 })], next: { _tag: "FallBack" } }
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
    return { ...quiet(state), next: fail(state, "Unreachable", `${maxAttempts} attempts to connect have failed; the last: ${reason}`) }
  }
  const afterMs =
    state.backAt === undefined
      ? Math.max(atLeastMs, backoffMs(Math.max(0, failures - 1), random, state.settings))
      : Math.max(0, state.backAt - now)
  return {
    ...quiet({ ...disconnected(state), failures }),
    emit: [notice({ type: "stale", reason, retryInMs: afterMs })],
    next: { _tag: "Reconnect", afterMs },
  }
}

/** What was asked for on this connection will not come on the next one. */
const disconnected = (state: FollowState): FollowState => ({
  ...offline(state),
  tracks: HashMap.map(state.tracks, (track): Track => (track.health === "well" ? track : again(track))),
})

const again = (track: Track): Track => ({ ...track, health: track.document === undefined ? "wanted" : "well", rewoundAt: undefined })

const isTransient = (status: number): boolean => status === 408 || status === 425 || status === 429 || status >= 500

const refused = (state: FollowState, status: number, { error, reason, retryAfterMs }: Closed): Step => {
  const { matchId } = state.settings
  const known = matchId === undefined ? undefined : trackOf(state, matchId)
  if (status === 404 && known !== undefined && isFinal(known)) return { ...quiet(state), next: { _tag: "End" } }
  const why = status === 404 && matchId === undefined ? "Refused" : (reasonOfStatus[status] ?? "Refused")
  const said = { ...(error === undefined ? {} : { code: error.code }), ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
  return { ...quiet(state), next: fail(state, why, error?.message ?? reason, said) }
}

const reasonOfStatus: Readonly<Record<number, LiveError["reason"]>> = {
  401: "Unauthorized",
  403: "PlanRequired",
  404: "MatchNotFound",
  429: "LimitExceeded",
}
