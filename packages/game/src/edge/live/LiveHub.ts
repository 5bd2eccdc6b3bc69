/** Live data in two tiers, one hub per process: the real-time tier, and the delayed one, a minute later. */
import type { LogError } from "@matchpoint/bus/EventLog"
import type { MatchId } from "@matchpoint/domain/ids"
import type { Plan } from "@matchpoint/domain/plans"
import type { Edge } from "@matchpoint/realtime/Edge"
import { Context, type Effect } from "effect"

export class LiveHub extends Context.Service<
  LiveHub,
  {
    readonly realtime: Edge
    readonly delayed: Edge
    readonly edgeFor: (plan: Plan) => Edge
    /** Sequence number of the newest record of LIVE that the real-time tier has processed. */
    readonly passed: () => number
    /** Sequence number that `passed` reaches soon, unless the gateway is behind. */
    readonly newest: Effect.Effect<number, LogError>
    /**
     * Calls `go` when the tier reads all matches of the rooms: at once unless the gateway reads only what its clients
     * follow. Clients must not enter a room earlier. The returned function cancels the call.
     */
    readonly whenRead: (edge: Edge, rooms: ReadonlyArray<string>, go: () => void) => () => void
    /** Waits until the tier reads the match. Gives up after two seconds, because an older state is better than none. */
    readonly upToDate: (edge: Edge, id: string) => Effect.Effect<void>
    /** Makes the tier read the match until the returned function is called. */
    readonly hold: (edge: Edge, matchId: MatchId) => () => void
  }
>()("@matchpoint/game/edge/live/LiveHub") {}
