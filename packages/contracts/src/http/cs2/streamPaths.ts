/** The two long-lived channels of the live section, described to OpenAPI. Their messages are in `stream/messages.ts`. */
import { PING_INTERVAL_SECONDS } from "../../stream/messages.ts"

export const STREAM_PATH = "/cs2/live/stream"
export const SOCKET_PATH = "/cs2/live/ws"
export const REPLAY_PATH = "/cs2/live/:matchId/replay"

const matchIdQuery = {
  name: "matchId",
  in: "query",
  required: false,
  schema: { type: "string" },
  description: "Follow this match only",
}

const replayParameter = (name: string, schema: Record<string, unknown>, description: string) => ({
  name,
  in: "query",
  required: false,
  schema,
  description,
})

/** As `ReplayOptions` of the WebSocket. */
const replayParameters = [
  { name: "matchId", in: "path", required: true, schema: { type: "string" } },
  replayParameter("speed", { type: "number", minimum: 0, maximum: 1_000, default: 1 }, "Times real time; 0 is as fast as you read"),
  replayParameter("fromMap", { type: "integer", minimum: 1, maximum: 9 }, "Begin at this map"),
  replayParameter(
    "fromRound",
    { type: "integer", minimum: 1, maximum: 200 },
    "Begin at this round, of the first map unless `fromMap` is given",
  ),
  replayParameter("faults", { type: "string", example: "drop,duplicate,stall" }, "Faults to make, separated by commas"),
  replayParameter("seed", { type: "integer", minimum: 0, default: 1 }, "The same seed makes the same faults at the same frames"),
  replayParameter("shape", { type: "string", enum: ["v1", "v2"], default: "v1" }, "v2: deltas"),
  replayParameter("lastEventId", { type: "string" }, "Go on after the event with this id; the header `Last-Event-ID` goes before it"),
  replayParameter("apiKey", { type: "string" }, "The key, for clients that cannot set headers"),
]

const errorAnswer = (description: string) => ({
  description,
  content: {
    "application/json": {
      schema: {
        type: "object",
        required: ["success", "error"],
        properties: {
          success: { const: false },
          error: {
            type: "object",
            required: ["code", "message"],
            properties: { code: { type: "string" }, message: { type: "string" }, details: {} },
          },
        },
      },
    },
  },
})

/** Adds the channels to the generated document. */
export const describeStreams =
  (root: string) =>
  (document: Record<string, unknown>): Record<string, unknown> => {
    const paths = typeof document.paths === "object" && document.paths !== null ? document.paths : {}
    const security = [{ apiKey: [] }, { bearer: [] }]
    return {
      ...document,
      paths: {
        ...paths,
        [root + STREAM_PATH]: {
          get: {
            tags: ["CS2 live"],
            operationId: "cs2-live.stream",
            summary: "Live updates as server-sent events",
            description: `Events: \`ready\` first, \`cs2.live.update\` on each change (its \`id\` is the cursor \`<matchId>:<epoch>:<seq>\`), \`ping\` every ${PING_INTERVAL_SECONDS} seconds, \`error\` just before the server closes the stream.`,
            parameters: [matchIdQuery],
            security,
            responses: {
              200: { description: "The stream", content: { "text/event-stream": { schema: { type: "string" } } } },
              401: errorAnswer("No API key, or one that is unknown or revoked"),
              404: errorAnswer("No live match has this id"),
            },
          },
        },
        [root + REPLAY_PATH.replace(":matchId", "{matchId}")]: {
          get: {
            tags: ["CS2 live"],
            operationId: "cs2-live.replay",
            summary: "A stored match again, as server-sent events",
            description:
              "The stored frames with the gaps they had, so that clients can be tested at any hour; faults on request. Events as on the live stream, `replay_ended` last. Also as the WebSocket room `replay:<matchId>`.",
            parameters: replayParameters,
            security,
            responses: {
              200: { description: "The stream", content: { "text/event-stream": { schema: { type: "string" } } } },
              400: errorAnswer("A parameter does not fit; `details.parameter` names it"),
              401: errorAnswer("No API key, or one that is unknown or revoked"),
              404: errorAnswer("Nothing of the match is stored, or the plan does not see it yet"),
              429: errorAnswer("As many replays or connections as the plan allows"),
              503: errorAnswer("The log does not answer"),
            },
          },
        },
        [root + SOCKET_PATH]: {
          get: {
            tags: ["CS2 live"],
            operationId: "cs2-live.ws",
            summary: "Live updates over a WebSocket",
            description:
              'Send `{"action":"subscribe","rooms":["match:<matchId>"]}` or the room `all`. Messages: `ready` first, `subscribed`, `cs2.live.snapshot` for each match on subscribe, then `cs2.live.update`; `error` for what was not understood.',
            parameters: [
              matchIdQuery,
              {
                name: "apiKey",
                in: "query",
                required: false,
                schema: { type: "string" },
                description: "The key, for clients that cannot set headers",
              },
            ],
            security,
            responses: {
              101: { description: "Switching to WebSocket" },
              401: errorAnswer("No API key, or one that is unknown or revoked"),
              426: errorAnswer("Not a WebSocket handshake"),
            },
          },
        },
      },
    }
  }
