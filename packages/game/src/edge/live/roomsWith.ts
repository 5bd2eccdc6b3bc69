import { Caller } from "@matchpoint/contracts/http/Authentication"
import { Effect } from "effect"
import type { LiveHub } from "./LiveHub.ts"

/** Rooms of the tier of the caller's plan, with the newest state of the match if it is live. */
export const roomsWith = (hub: LiveHub["Service"], matchId: string) =>
  Effect.flatMap(Caller, ({ plan }) => {
    const edge = hub.edgeFor(plan)
    return Effect.as(hub.upToDate(edge, matchId), edge.rooms)
  })
