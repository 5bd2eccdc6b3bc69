/** The endpoints of the CS2 live section, answered from the rooms of this edge. */
import { Caller } from "@matchpoint/contracts/http/Authentication"
import { liveLimits } from "@matchpoint/contracts/http/cs2/LiveApi"
import { CONFIRMATION_MAX_AGE_MS } from "@matchpoint/contracts/http/cs2/liveModels"
import { paginate } from "@matchpoint/contracts/http/envelope"
import { MatchNotFound } from "@matchpoint/contracts/http/errors"
import { MatchpointApi } from "@matchpoint/contracts/http/MatchpointApi"
import { readHead } from "@matchpoint/contracts/stream/frames"
import type { MatchId } from "@matchpoint/domain/ids"
import type { Frame } from "@matchpoint/realtime/Frame"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { GatewayConfig } from "../GatewayConfig.ts"
import { LiveHub } from "../LiveHub.ts"
import { mapsOf } from "../live/maps.ts"
import { roundRow } from "../live/roundEnds.ts"
import { listItem, scoreboard } from "../live/scoreboard.ts"
import { liveState, snapshotRow } from "../live/state.ts"
import { statePlayer } from "../live/statePlayer.ts"
import { transportOf } from "../live/transport.ts"

const page = (max: number) => ({ max, fallback: max })

export const LiveHandlers = HttpApiBuilder.group(
  MatchpointApi,
  "cs2-live",
  Effect.fn(function* (handlers) {
    const hub = yield* LiveHub
    const { publicUrl } = yield* GatewayConfig

    /** What this caller's plan may see, and nothing younger. */
    const rooms = Effect.map(Caller, ({ plan }) => hub.edgeFor(plan).rooms)

    /** The match as it is for this caller; every room has a frame from its first record on. */
    const find = Effect.fnUntraced(function* (matchId: MatchId) {
      const room = (yield* rooms).get(matchId)
      const match = room?.match
      const frame = room?.newest
      return room === undefined || match === undefined || frame === undefined
        ? yield* MatchNotFound.of(matchId)
        : { match, frame, events: room.events, ring: room.ring }
    })

    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const { items, meta } = paginate((yield* rooms).live(), query, page(100))
        return { success: true, data: items.flatMap((room) => (room.match === undefined ? [] : [listItem(room.match)])), meta }
      }),
      socket: Effect.fnUntraced(function* ({ params }) {
        yield* find(params.matchId)
        return { success: true, data: transportOf(params.matchId, publicUrl), meta: {} }
      }),
      scoreboard: Effect.fnUntraced(function* ({ params }) {
        const { match, frame } = yield* find(params.matchId)
        return { success: true, data: scoreboard(match, latencyOf(frame)), meta: {} }
      }),
      state: Effect.fnUntraced(function* ({ params }) {
        const { match, events } = yield* find(params.matchId)
        return { success: true, data: liveState(match, events), meta: {} }
      }),
      rounds: Effect.fnUntraced(function* ({ params, query }) {
        const { match } = yield* find(params.matchId)
        const { items, meta } = paginate(match.rounds.map(roundRow), query, page(liveLimits.rounds))
        const data = { entityType: "cs2_live_rounds" as const, matchId: match.matchId, currentRound: match.game?.round ?? 0, rounds: items }
        return { success: true, data, meta }
      }),
      events: Effect.fnUntraced(function* ({ params, query }) {
        const { match, events } = yield* find(params.matchId)
        const { items, meta } = paginate(events.toReversed(), query, page(liveLimits.events))
        return { success: true, data: { entityType: "cs2_live_events" as const, matchId: match.matchId, events: items }, meta }
      }),
      playerStats: Effect.fnUntraced(function* ({ params, query }) {
        const { match, frame } = yield* find(params.matchId)
        const dataAvailable = match.source === "live" && match.players.length > 0
        const { items, meta } = paginate(match.players.map(statePlayer), query, page(100))
        return {
          success: true,
          data: {
            entityType: "cs2_live_player_stats" as const,
            matchId: match.matchId,
            status: match.status,
            isCurrent: match.status === "live",
            dataAvailable,
            unavailableReason: dataAvailable ? null : match.source === "live" ? "not_yet_indexed" : "backup_feed",
            source: match.source,
            capturedAt: capturedAt(frame),
            lastVerified: match.updatedAt,
            players: items,
          },
          meta: { ...meta, dataAvailable, confirmationMaxAgeMs: CONFIRMATION_MAX_AGE_MS },
        }
      }),
      maps: Effect.fnUntraced(function* ({ params }) {
        const { match, events } = yield* find(params.matchId)
        return { success: true, data: mapsOf(match, events), meta: {} }
      }),
      snapshots: Effect.fnUntraced(function* ({ params, query }) {
        const { ring, events } = yield* find(params.matchId)
        const from = query.from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(query.from)
        const to = query.to === undefined ? Number.POSITIVE_INFINITY : Date.parse(query.to)
        const frames = ring.toArray().filter((frame) => frame.at >= from && frame.at <= to)
        const { items, meta } = paginate(frames, query, page(liveLimits.snapshots))
        return { success: true, data: items.map((frame) => snapshotRow(frame, events)), meta }
      }),
    })
  }),
)

const capturedAt = (frame: Frame): string => new Date(frame.at).toISOString()

const latencyOf = (frame: Frame): number => {
  const { observedAt, receivedAt } = readHead(frame.update)
  return Math.max(0, Date.parse(receivedAt) - Date.parse(observedAt))
}
