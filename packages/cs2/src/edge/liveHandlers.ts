/** Handlers of the CS2 live endpoints. They read only data that the caller's plan may already see. */
import { hash } from "node:crypto"
import { API_ROOT } from "@matchpoint/contracts/http/apiRoot"
import { paginate } from "@matchpoint/contracts/http/envelope"
import { MatchNotFound } from "@matchpoint/contracts/http/errors"
import { stateHash } from "@matchpoint/contracts/stream/compact/stateHash"
import type { MatchId } from "@matchpoint/domain/ids"
import { GatewayConfig } from "@matchpoint/game/edge/GatewayConfig"
import { LiveHub } from "@matchpoint/game/edge/live/LiveHub"
import { placeOf, socketUrl } from "@matchpoint/game/edge/publicAddress"
import { frameTag } from "@matchpoint/game/edge/responses/entityTag"
import { endpointGroup } from "@matchpoint/game/edge/slimContext"
import { Meter } from "@matchpoint/metering/Meter"
import type { Frame } from "@matchpoint/realtime/Frame"
import { Clock, Effect } from "effect"
import { Cs2Api } from "../contract/http/Cs2Api.ts"
import { liveLimits } from "../contract/http/LiveApi.ts"
import { CONFIRMATION_MAX_AGE_MS } from "../contract/http/liveModels.ts"
import { SOCKET_PATH } from "../contract/http/streamPaths.ts"
import { availabilityOf } from "./live/availability.ts"
import { type Cs2Views, cs2RoomOf } from "./live/Cs2Views.ts"
import { eventsV2, frameMeta, mapsV2, playerStatsV2, roundsV2, scoreboardV2 } from "./live/compact.ts"
import { mapsOf } from "./live/maps.ts"
import { playerStats } from "./live/playerStats.ts"
import { roundRow } from "./live/roundEnds.ts"
import { scoreboard } from "./live/scoreboard.ts"
import { liveState } from "./live/state.ts"
import { transportOf } from "./live/transport.ts"
import { answer, type LiveRequest, liveRequestOf } from "./liveAnswer.ts"
import { liveListResponse } from "./liveList.ts"
import { answerSnapshots } from "./liveSnapshots.ts"

const page = (max: number) => ({ max, fallback: max })

export const LiveHandlers = endpointGroup(
  Cs2Api,
  "cs2-live",
  Effect.fn(function* (handlers) {
    const hub = yield* LiveHub
    const settings = yield* GatewayConfig
    const { enabled: metered } = yield* Meter

    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query, request }) {
        return liveListResponse(yield* liveRequestOf(hub, request, query), query)
      }),
      socket: Effect.fnUntraced(function* ({ params, query, request }) {
        const liveRequest = yield* liveRequestOf(hub, request, query)
        const { views, tag } = yield* find(hub, liveRequest, params.matchId)
        const url = socketUrl(settings.publicUrl, placeOf(request.headers, settings), API_ROOT + SOCKET_PATH)
        const { edge, plan } = liveRequest
        const data = () => transportOf(views.frame, { plan, delaySeconds: edge.delaySeconds, socketUrl: url, metered })
        return answer("socket", liveRequest, {
          etag: tag(plan, hash("sha1", url, "base64url").slice(0, 11)),
          keepWith: views,
          v1: () => ({ success: true, data: data(), meta: {} }),
          v2: () => ({ success: true, data: data(), meta: frameMeta(views.head) }),
        })
      }),
      scoreboard: Effect.fnUntraced(function* ({ params, query, request }) {
        const liveRequest = yield* liveRequestOf(hub, request, query)
        const { views, room, tag } = yield* find(hub, liveRequest, params.matchId)
        return answer("scoreboard", liveRequest, {
          etag: tag(),
          keepWith: views,
          v1: () => ({ success: true, data: scoreboard(views.match, latencyOf(views)), meta: {} }),
          v2: () => {
            const last = views.match.lastEvent?.id ?? null
            const event = last === null ? undefined : room.events.findLast((one) => one.eventId === last)
            return { success: true, data: scoreboardV2(views, latencyOf(views), event), meta: frameMeta(views.head) }
          },
        })
      }),
      state: Effect.fnUntraced(function* ({ params, query, request }) {
        const liveRequest = yield* liveRequestOf(hub, request, query)
        const { views, room, tag } = yield* find(hub, liveRequest, params.matchId)
        return answer("state", liveRequest, {
          etag: tag(room.events.length),
          keepWith: views,
          v1: () => ({ success: true, data: liveState(views.match, room.events), meta: {} }),
          v2: () => ({ success: true, data: views.compact, meta: { ...frameMeta(views.head), hash: stateHash(views.compact) } }),
        })
      }),
      rounds: Effect.fnUntraced(function* ({ params, query, request }) {
        const liveRequest = yield* liveRequestOf(hub, request, query)
        const { views, tag } = yield* find(hub, liveRequest, params.matchId)
        const { match } = views
        const { items, meta } = paginate(match.rounds, query, page(liveLimits.rounds))
        return answer("rounds", liveRequest, {
          etag: tag(query.page, query.limit),
          keepWith: views,
          v1: () => ({
            success: true,
            data: {
              entityType: "cs2_live_rounds",
              matchId: match.matchId,
              currentRound: match.game?.round ?? 0,
              source: match.source,
              ...availabilityOf(match),
              rounds: items.map(roundRow),
            },
            meta,
          }),
          v2: () => ({ success: true, data: roundsV2(views, items), meta: { ...frameMeta(views.head), ...meta } }),
        })
      }),
      events: Effect.fnUntraced(function* ({ params, query, request }) {
        const liveRequest = yield* liveRequestOf(hub, request, query)
        const { views, room, tag } = yield* find(hub, liveRequest, params.matchId)
        const { match } = views
        const shown = () => paginate(room.events.toReversed(), query, page(liveLimits.events))
        return answer("events", liveRequest, {
          etag: tag(query.page, query.limit, room.events.length),
          keepWith: views,
          v1: () => {
            const { items, meta } = shown()
            const head = { entityType: "cs2_live_events" as const, matchId: match.matchId, source: match.source }
            return { success: true, data: { ...head, ...availabilityOf(match), events: items }, meta }
          },
          v2: () => {
            const { items, meta } = shown()
            return { success: true, data: eventsV2(match, items), meta: { ...frameMeta(views.head), ...meta } }
          },
        })
      }),
      playerStats: Effect.fnUntraced(function* ({ params, query, request }) {
        const liveRequest = yield* liveRequestOf(hub, request, query)
        const { views, tag } = yield* find(hub, liveRequest, params.matchId)
        const { match, frame } = views
        const { items, meta: paging } = paginate(match.players, query, page(liveLimits.playerStats))
        const { dataAvailable } = availabilityOf(match)
        // biome-ignore lint/plugin: the frame has a stamp of the match service
        const age = (yield* Clock.currentTimeMillis) - liveRequest.edge.delaySeconds * 1_000 - frame.at
        const isCurrent = match.status === "live" && dataAvailable && age <= CONFIRMATION_MAX_AGE_MS
        const confirmed = { isCurrent, lastVerified: publishedAt(frame) }
        const meta = { ...paging, dataAvailable, confirmationMaxAgeMs: CONFIRMATION_MAX_AGE_MS }
        return answer("playerStats", liveRequest, {
          etag: tag(query.page, query.limit, isCurrent ? "current" : "old"),
          keepWith: views,
          v1: () => ({ success: true, data: playerStats(match, items, confirmed), meta }),
          v2: () => ({ success: true, data: playerStatsV2(views, items, confirmed), meta: { ...frameMeta(views.head), ...meta } }),
        })
      }),
      maps: Effect.fnUntraced(function* ({ params, query, request }) {
        const liveRequest = yield* liveRequestOf(hub, request, query)
        const { views, room, tag } = yield* find(hub, liveRequest, params.matchId)
        return answer("maps", liveRequest, {
          etag: tag(room.events.length),
          keepWith: views,
          v1: () => ({ success: true, data: mapsOf(views.match, room.events), meta: {} }),
          v2: () => ({ success: true, data: mapsV2(views, room.events), meta: frameMeta(views.head) }),
        })
      }),
      snapshots: Effect.fnUntraced(function* ({ params, query, request }) {
        const liveRequest = yield* liveRequestOf(hub, request, query)
        const { views, room } = yield* find(hub, liveRequest, params.matchId)
        return yield* answerSnapshots(liveRequest, { room, views }, query)
      }),
    })
  }),
)

/** Every match in the live data of the plan has a frame, because its first record already creates one. */
const find = Effect.fnUntraced(function* (hub: LiveHub["Service"], liveRequest: LiveRequest, matchId: MatchId) {
  yield* hub.upToDate(liveRequest.edge, matchId)
  const room = cs2RoomOf(liveRequest.edge.rooms.get(matchId))
  const views = room?.views
  if (room === undefined || views === undefined) return yield* MatchNotFound.of(matchId)
  const { shape, edge } = liveRequest
  /**
   * Tag of a response built from the newest frame. If it also shows events, `also` must contain their number: a gateway
   * that started later has fewer of them. All end at the newest frame, so as many events are the same events.
   */
  const tag = (...also: ReadonlyArray<string | number | undefined>) =>
    frameTag(views.frame, { shape, delaySeconds: edge.delaySeconds, also })
  return { room, views, tag }
})

const publishedAt = ({ at }: Frame): string => new Date(at).toISOString()

/** Milliseconds from the time at which the source saw the event to the time at which we received it. */
const latencyOf = ({ head }: Cs2Views): number => Math.max(0, Date.parse(head.receivedAt) - Date.parse(head.observedAt))
