/**
 * The long-lived channels of the live section as endpoints, for the OpenAPI document: their parameters and how they refuse a client.
 * The transports of the gateway serve them, no handlers; what is said on them once they are open is in `stream/messages.ts`.
 */
import { MatchId } from "@matchpoint/domain/cs2/ids"
import { MatchId as AnyMatchId } from "@matchpoint/domain/ids"
import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiMiddleware, HttpApiSchema, HttpApiSecurity, OpenApi } from "effect/http-api"
import { Shape } from "../../stream/frames.ts"
import { Flush, MaxRateMs, PING_INTERVAL_SECONDS, ReplayOptions, SlowPolicy } from "../../stream/messages.ts"
import { socketPathOf, streamPathOf } from "../../stream/streamPaths.ts"
import { Authentication } from "../Authentication.ts"
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
} from "../errors.ts"
import { Needs, Section } from "../Metering.ts"
import { REPLAY_PATH, SOCKET_PATH, STREAM_PATH } from "./streamPaths.ts"

const inQuery = HttpApiSecurity.apiKey({ key: "apiKey", in: "query" }).pipe(
  HttpApiSecurity.annotate(OpenApi.Description, "For clients that cannot set headers, like WebSockets and `EventSource` in browsers"),
)

/**
 * As of every request, and for browsers in the query.
 * @effect-expect-leaking HttpServerRequest | ParsedSearchParams | RouteContext
 */
class StreamAuthentication extends HttpApiMiddleware.Service<StreamAuthentication>()(
  "@matchpoint/contracts/http/cs2/StreamApi/StreamAuthentication",
  { error: [InvalidApiKey, ServiceUnavailable], security: { ...Authentication.security, apiKeyInQuery: inQuery } },
) {}

const EventStream = Schema.String.annotate({ description: "Events; `/asyncapi.json` describes each" }).pipe(
  HttpApiSchema.asText({ contentType: "text/event-stream" }),
)

/** Of every channel, before its own. */
const refusals = [
  ValidationError,
  GameNotIncluded,
  QuotaExceeded,
  TooManyConnections,
  TooManyHandshakes,
  ServiceUnavailable,
  InternalError,
] as const

const shape = Schema.optionalKey(Shape.annotate({ description: "v1 (the default): whole matches; v2: deltas" }))

const liveQuery = {
  matchId: Schema.optionalKey(MatchId.annotate({ description: "Follow this match at once" })),
  shape,
  maxRateMs: Schema.optionalKey(MaxRateMs),
  flush: Schema.optionalKey(
    Flush.annotate({ description: "`adaptive` (the default): frames may wait up to 20 ms for others while the server is busy" }),
  ),
  slow: Schema.optionalKey(
    SlowPolicy.annotate({ description: "What happens when you read too slowly: `conflate` (the default), `catchup` or `close`" }),
  ),
} as const

const lastEventId = Schema.optionalKey(
  Schema.String.annotate({ description: "Go on after the event with this id; the header `Last-Event-ID` goes before it" }),
)

const { faults, fromMap, fromRound, seed, speed } = ReplayOptions.fields

const replayQuery = {
  speed: speed.annotate({ description: "Times real time; 0 is as fast as you read. Default 1" }),
  fromMap: fromMap.annotate({ description: "Begin at this map" }),
  fromRound: fromRound.annotate({ description: "Begin at this round, of the first map unless `fromMap` is given" }),
  faults: faults.annotate({
    description: "Faults to make: `drop` cuts the connection, `duplicate` sends a frame twice, `stall` pauses for up to 5 s",
  }),
  seed: seed.annotate({ description: "The same seed makes the same faults at the same frames. Default 1" }),
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
        `Events: \`ready\` first, \`cs2.live.update\` on each change (its \`id\` is the cursor to go on from), \`ping\` every ${PING_INTERVAL_SECONDS} seconds, \`error\` just before the server closes the stream.`,
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
        "A stored match again, as server-sent events",
        "The stored frames with the gaps they had, so that clients can be tested at any hour; faults on request. Events as on the live stream, `replay_ended` last. Also as the WebSocket room `replay:<matchId>`.",
      ),
    ),
    HttpApiEndpoint.get("ws", SOCKET_PATH, {
      query: liveQuery,
      success: HttpApiSchema.Empty(101).annotate({ description: "Switching to WebSocket" }),
      error: [...refusals, PlanRequired, MatchNotFound, UpgradeRequired],
    })
      .annotate(Needs, "live-websockets")
      .annotateMerge(
        describe(
          "ws",
          "Live updates over a WebSocket",
          'Send `{"action":"subscribe","rooms":["match:<matchId>"]}` or the room `all`. Messages: `ready` first, `subscribed`, `cs2.live.snapshot` for each match on subscribe, then `cs2.live.update`; `error` for what was not understood.',
        ),
      ),
  )
  .annotate(Section, "cs2")
  .middleware(StreamAuthentication)
  .annotateMerge(OpenApi.annotations({ title: "CS2 live" })) {}

const allGames = "The matches of every game that your plan includes; one that includes one game follows that one."

/** The channels of all games. Messages and cursors are those of the channels of one game. */
class AllGamesGroup extends HttpApiGroup.make("live-streams")
  .add(
    HttpApiEndpoint.get("stream", streamPathOf(undefined), {
      query: { ...liveQuery, matchId: Schema.optionalKey(AnyMatchId.annotate({ description: "Follow this match at once" })), lastEventId },
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
      query: { ...liveQuery, matchId: Schema.optionalKey(AnyMatchId.annotate({ description: "Follow this match at once" })) },
      success: HttpApiSchema.Empty(101).annotate({ description: "Switching to WebSocket" }),
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
  .annotateMerge(OpenApi.annotations({ title: "Live, all games", description: "Changes of the matches of every game on one channel." })) {}

/** `root` is that of `MatchpointApi`. */
export const streamApi = <const Root extends `/${string}`>(root: Root) =>
  HttpApi.make("matchpoint-streams").add(StreamGroup).add(AllGamesGroup).prefix(root)
