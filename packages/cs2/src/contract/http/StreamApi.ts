/**
 * Describes the long-lived channels (WebSocket and SSE) as endpoints, so that the OpenAPI document contains their
 * parameters and handshake errors. They have no handlers, because the gateway implements them separately.
 * `stream/messages.ts` describes the messages on an open channel.
 */
import { Authentication } from "@matchpoint/contracts/http/Authentication"
import {
  GameNotIncluded,
  HistoryLimit,
  InternalError,
  InvalidApiKey,
  MatchNotFound,
  PlanRequired,
  QuotaExceeded,
  ServiceUnavailable,
  TooManyConnections,
  TooManyHandshakes,
  TooManyReplays,
  UpgradeRequired,
  ValidationError,
} from "@matchpoint/contracts/http/errors"
import { Needs, Section } from "@matchpoint/contracts/http/Metering"
import { Shape } from "@matchpoint/contracts/stream/frames"
import { Flush, MaxRateMs, PING_INTERVAL_SECONDS, ReplayOptions, SlowPolicy } from "@matchpoint/contracts/stream/messages"
import { socketPathOf, streamPathOf } from "@matchpoint/contracts/stream/streamPaths"
import { MatchId as AnyMatchId } from "@matchpoint/domain/ids"
import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiMiddleware, HttpApiSchema, HttpApiSecurity, OpenApi } from "effect/http-api"
import { MatchId } from "../../rules/ids.ts"
import { REPLAY_PATH, SOCKET_PATH, STREAM_PATH } from "./streamPaths.ts"

const inQuery = HttpApiSecurity.apiKey({ key: "apiKey", in: "query" }).pipe(
  HttpApiSecurity.annotate(OpenApi.Description, "For clients that cannot set headers, such as WebSockets and `EventSource` in browsers"),
)

/**
 * Authentication of the channels. The API key is accepted in the same places as for every other request and also in the
 * query string, because browsers cannot set headers on these channels.
 * @effect-expect-leaking HttpServerRequest | ParsedSearchParams | RouteContext
 */
class StreamAuthentication extends HttpApiMiddleware.Service<StreamAuthentication>()(
  "@matchpoint/cs2/contract/http/StreamApi/StreamAuthentication",
  { error: [InvalidApiKey, ServiceUnavailable], security: { ...Authentication.security, apiKeyInQuery: inQuery } },
) {}

const EventStream = Schema.String.annotate({ description: "Server-sent events; `/asyncapi.json` describes each type" }).pipe(
  HttpApiSchema.asText({ contentType: "text/event-stream" }),
)

/** Handshake errors that all channels have in common. Each channel adds errors of its own. */
const refusals = [
  ValidationError,
  GameNotIncluded,
  QuotaExceeded,
  TooManyConnections,
  TooManyHandshakes,
  ServiceUnavailable,
  InternalError,
] as const

const shape = Schema.optionalKey(Shape.annotate({ description: "`v1` (default): whole matches; `v2`: deltas" }))

const liveQuery = {
  matchId: Schema.optionalKey(MatchId.annotate({ description: "Match to subscribe to on connect" })),
  shape,
  maxRateMs: Schema.optionalKey(MaxRateMs),
  flush: Schema.optionalKey(
    Flush.annotate({
      description: "`adaptive` (default): while the server is busy, it may hold a frame back for up to 20 ms to send several together",
    }),
  ),
  slow: Schema.optionalKey(
    SlowPolicy.annotate({ description: "What the server does if the client reads too slowly: `conflate` (default), `catchup` or `close`" }),
  ),
} as const

const lastEventId = Schema.optionalKey(
  Schema.String.annotate({ description: "Resume after the event with this id. The header `Last-Event-ID` takes precedence" }),
)

const { faults, fromMap, fromRound, seed, speed } = ReplayOptions.fields

const replayQuery = {
  speed: speed.annotate({ description: "Multiple of real time; 0 sends as fast as the client reads. Default 1" }),
  fromMap: fromMap.annotate({ description: "Start at this map" }),
  fromRound: fromRound.annotate({ description: "Start at this round of the map `fromMap`. Default map: the first" }),
  faults: faults.annotate({
    description: "Faults to inject: `drop` cuts the connection, `duplicate` sends a frame twice, `stall` pauses for up to 5 s",
  }),
  seed: seed.annotate({ description: "Seed of the faults: the same seed injects the same faults at the same frames. Default 1" }),
  shape,
  lastEventId,
} as const

const describe = (name: string, summary: string, description: string) =>
  OpenApi.annotations({ identifier: `cs2-live.${name}`, summary, description })

class StreamGroup extends HttpApiGroup.make("cs2-live-streams")
  .add(
    HttpApiEndpoint.get("stream", STREAM_PATH, {
      query: { ...liveQuery, lastEventId },
      success: EventStream,
      error: [...refusals, MatchNotFound],
    }).annotateMerge(
      describe(
        "stream",
        "Live updates as server-sent events",
        `Events: \`ready\` first, \`cs2.live.update\` on each change (its \`id\` is the cursor to resume from), \`ping\` every ${PING_INTERVAL_SECONDS} seconds, \`error\` just before the server closes the stream.`,
      ),
    ),
    HttpApiEndpoint.get("replay", REPLAY_PATH, {
      params: { matchId: MatchId },
      query: replayQuery,
      success: EventStream,
      error: [...refusals, MatchNotFound, HistoryLimit, TooManyReplays],
    }).annotateMerge(
      describe(
        "replay",
        "Replay of a stored match as server-sent events",
        "Sends the stored frames with their original timing, so that clients can be tested at any time, with faults on request. Events are those of the live stream, then `replay_ended`. The WebSocket room `replay:<matchId>` does the same.",
      ),
    ),
    HttpApiEndpoint.get("ws", SOCKET_PATH, {
      query: liveQuery,
      success: HttpApiSchema.Empty(101).annotate({ description: "Switches to the WebSocket protocol" }),
      error: [...refusals, PlanRequired, MatchNotFound, UpgradeRequired],
    })
      .annotate(Needs, "live-websockets")
      .annotateMerge(
        describe(
          "ws",
          "Live updates over a WebSocket",
          'Send `{"action":"subscribe","rooms":["match:<matchId>"]}` or the room `all`. Messages: `ready` first, `subscribed`, `cs2.live.snapshot` for each match on subscribe, then `cs2.live.update`. The server answers an invalid message with `error`.',
        ),
      ),
  )
  .annotate(Section, "cs2")
  .middleware(StreamAuthentication)
  .annotateMerge(OpenApi.annotations({ title: "CS2 live" })) {}

const allGames = "Matches of every game that your plan includes."

/** Channels with the matches of all games. Messages and cursors have the format of a single game's channels. */
class AllGamesGroup extends HttpApiGroup.make("live-streams")
  .add(
    HttpApiEndpoint.get("stream", streamPathOf(undefined), {
      query: {
        ...liveQuery,
        matchId: Schema.optionalKey(AnyMatchId.annotate({ description: "Match to subscribe to on connect" })),
        lastEventId,
      },
      success: EventStream,
      error: [...refusals, MatchNotFound],
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "live.stream",
        summary: "Live updates of all games as server-sent events",
        description: `${allGames} Events are named by game: \`<game>.live.update\`, \`<game>.live.delta\`.`,
      }),
    ),
    HttpApiEndpoint.get("ws", socketPathOf(undefined), {
      query: { ...liveQuery, matchId: Schema.optionalKey(AnyMatchId.annotate({ description: "Match to subscribe to on connect" })) },
      success: HttpApiSchema.Empty(101).annotate({ description: "Switches to the WebSocket protocol" }),
      error: [...refusals, PlanRequired, MatchNotFound, UpgradeRequired],
    })
      .annotate(Needs, "live-websockets")
      .annotateMerge(
        OpenApi.annotations({
          identifier: "live.ws",
          summary: "Live updates of all games over a WebSocket",
          description: `${allGames} Rooms: \`all\`, \`all:<game>\`, \`match:<matchId>\` and \`replay:<matchId>\`.`,
        }),
      ),
  )
  .middleware(StreamAuthentication)
  .annotateMerge(OpenApi.annotations({ title: "Live, all games", description: "Changes of matches of all games on one channel." })) {}

/** `root` is the same as that of `MatchpointApi`. */
export const streamApi = <const Root extends `/${string}`>(root: Root) =>
  HttpApi.make("matchpoint-streams").add(StreamGroup).add(AllGamesGroup).prefix(root)
