/** The parts a step is made of. */
import type { LiveNotice } from "../LiveChange.ts"
import { LiveError } from "../LiveError.ts"
import { type FollowItem, type FollowState, type Next, roomOf, type Step } from "./FollowState.ts"

export const quiet = (state: FollowState): Step => ({ state, emit: [], send: [], next: undefined })

export const notice = (said: LiveNotice): FollowItem => ({ _tag: "Notice", notice: said })

export const fail = (
  { settings }: FollowState,
  reason: LiveError["reason"],
  message: string,
  said: { readonly code?: string; readonly retryAfterMs?: number } = {},
): Next => ({ _tag: "Fail", error: new LiveError({ reason, message, room: roomOf(settings), ...said }) })
