/** What becomes of a follower whose connection ended, or never began. */
import { shouldReconnect } from "@matchpoint/contracts/stream/closeCodes"
import { HashMap } from "effect"
import { fail, notice, quiet } from "./answers.ts"
import { backoffMs } from "./backoff.ts"
import type { FollowInput, FollowState, Step, Track } from "./FollowState.ts"
import { isOver, offline, trackOf } from "./resume.ts"

type Closed = Extract<FollowInput, { readonly _tag: "Closed" }>

export const closed = (state: FollowState, input: Closed): Step => {
  const { code, reason, retryAfterMs, status } = input
  if (status !== undefined && !isTransient(status)) return refused(state, status, reason)
  if (code !== undefined && !shouldReconnect(code)) {
    return { ...quiet(state), next: fail(state, code === 3502 ? "LimitExceeded" : "Refused", `closed with ${code}: ${reason}`) }
  }
  return reconnect(state, reason, input, retryAfterMs)
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
  const next: FollowState = {
    ...offline(state),
    // What was asked for on this connection will not come on the next one.
    tracks: HashMap.map(state.tracks, (track): Track => (track.health === "well" ? track : again(track))),
    failures,
  }
  return {
    ...quiet(next),
    emit: [notice({ type: "stale", reason, retryInMs: afterMs })],
    next: { _tag: "Reconnect", afterMs },
  }
}

const again = (track: Track): Track => ({ ...track, health: track.document === undefined ? "wanted" : "well", rewoundAt: undefined })

const isTransient = (status: number): boolean => status === 408 || status === 425 || status === 429 || status >= 500

const refused = (state: FollowState, status: number, reason: string): Step => {
  const { matchId } = state.settings
  const known = matchId === undefined ? undefined : trackOf(state, matchId)
  if (status === 404 && known !== undefined && isOver(known)) return { ...quiet(state), next: { _tag: "End" } }
  const why = status === 401 || status === 403 ? "Unauthorized" : status === 404 && matchId !== undefined ? "MatchNotFound" : "Refused"
  return { ...quiet(state), next: fail(state, why, reason) }
}
