/** Helpers that build the results of `step`. */
import type { LiveNotice } from "../LiveChange.ts"
import { type FollowItem, type FollowState, type Next, roomOf, type Step } from "./FollowState.ts"
import type { LiveFailureReason } from "./LiveFailure.ts"

/** Neither emits nor sends anything. */
export const unchanged = (state: FollowState): Step => ({ state, emit: [], send: [], next: undefined })

export const notice = (content: LiveNotice): FollowItem => ({ _tag: "Notice", notice: content })

export const fail = (
  { settings }: FollowState,
  reason: LiveFailureReason,
  message: string,
  details: { readonly code?: string; readonly retryAfterMs?: number } = {},
): Next => ({ _tag: "Fail", failure: { reason, message, room: roomOf(settings), ...details } })
