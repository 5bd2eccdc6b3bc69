/**
 * Generates an AsyncAPI 3.0 document that describes the live channels, as a complement to the OpenAPI document of the
 * REST API. It covers the channels, the messages with their schemas, examples and senders, the close codes, and
 * authentication. All content comes from the contract.
 */
import { Schema } from "effect"
import { API_KEY_HEADER } from "../../http/Authentication.ts"
import { REPLAY_PATH, SOCKET_PATH, STREAM_PATH } from "../../http/cs2/streamPaths.ts"
import { type ErrorCode, errorStatus } from "../../http/errors.ts"
import { API_ROOT } from "../../http/MatchpointApi.ts"
import { closeCodes } from "../../stream/closeCodes.ts"
import { Shape } from "../../stream/frames.ts"
import { ClientMessage, Flush, MaxRateMs, ReplayOptions, SlowPolicy } from "../../stream/messages.ts"
import { socketPathOf, streamPathOf } from "../../stream/streamPaths.ts"
import { HEARTBEAT } from "../../stream/wire.ts"
import { ServerMessage, sseEvents } from "../serverMessages.ts"
import { JsonSchemas } from "./jsonSchemas.ts"
import { clientMessages, serverMessages } from "./messageExamples.ts"

/**
 * Query parameters of the live channels. They include the API key because browsers cannot set headers on WebSocket and
 * SSE requests.
 */
const LiveQuery = Schema.Struct({
  matchId: Schema.optionalKey(Schema.String),
  shape: Schema.optionalKey(Shape),
  maxRateMs: Schema.optionalKey(MaxRateMs),
  flush: Schema.optionalKey(Flush),
  slow: Schema.optionalKey(SlowPolicy),
  apiKey: Schema.optionalKey(Schema.String),
})
const lastEventId = { lastEventId: Schema.optionalKey(Schema.String) } as const
const StreamQuery = Schema.Struct({ ...LiveQuery.fields, ...lastEventId })
const ReplayQuery = Schema.Struct({
  ...ReplayOptions.fields,
  shape: Schema.optionalKey(Shape),
  ...lastEventId,
  apiKey: Schema.optionalKey(Schema.String),
})

export interface DocumentedMessage {
  readonly name: string
  readonly from: "client" | "server"
  readonly summary: string
  readonly schema: Schema.Codec<unknown>
  readonly examples: ReadonlyArray<unknown>
}

/**
 * All messages of the live channels. Each is named after its `type` or `action`. The name of a snapshot in message
 * format v2 has the suffix `.v2`.
 */
export const documentedMessages: ReadonlyArray<DocumentedMessage> = [
  ...ServerMessage.members.map((schema): DocumentedMessage => {
    const type = schema.fields.type.literal
    const { summary, examples } = serverMessages[type]
    const name = "shape" in schema.fields && "literal" in schema.fields.shape ? `${type}.${schema.fields.shape.literal}` : type
    return { name, from: "server", summary, schema, examples: matchingExamples(schema, examples) }
  }),
  ...ClientMessage.members.map((schema): DocumentedMessage => {
    const name = schema.fields.action.literal
    const { summary, examples } = clientMessages[name]
    return { name, from: "client", summary, schema, examples: matchingExamples(schema, examples) }
  }),
]

export interface ServerAddress {
  /** Host with port, e.g. `api.example.com` or `localhost:8080`. */
  readonly host: string
  readonly secure: boolean
}

export const asyncApi = ({ host, secure }: ServerAddress) => {
  const schemas = new JsonSchemas()
  const messages = Object.fromEntries(documentedMessages.map((message) => [message.name, messageObject(message, schemas)]))
  const ofServer = documentedMessages.filter(({ from }) => from === "server").map(({ name }) => name)
  const ofClient = documentedMessages.filter(({ from }) => from === "client").map(({ name }) => name)
  const events: Record<string, string> = Object.fromEntries(
    Object.values(sseEvents).map((event) => [event === sseEvents.ping ? HEARTBEAT : event, event]),
  )
  const ofStream = ofServer.filter((name) => name.replace(/\.v2$/, "") in events)
  const security = [ref("securitySchemes", "apiKey"), ref("securitySchemes", "bearer"), ref("securitySchemes", "apiKeyInQuery")]
  const socket = (address: string, title: string, rooms: string) => ({
    address,
    title,
    description: `Text messages that contain JSON. ${rooms} Close codes of the server:\n\n${closeTable}`,
    servers: [{ $ref: "#/servers/websocket" }],
    messages: Object.fromEntries(documentedMessages.map(({ name }) => [name, ref("messages", name)])),
    bindings: { ws: { method: "GET", query: schemas.of(LiveQuery), bindingVersion: "0.1.0" } },
    "x-close-codes": closeCodes,
  })
  const sse = (address: string, title: string, query: Schema.Constraint) => ({
    address,
    title,
    description:
      "Server-sent events. The data of each event is one message. The name of the event is the name of the message; heartbeats are named `ping`.",
    servers: [{ $ref: "#/servers/http" }],
    messages: Object.fromEntries(ofStream.map((name) => [name, ref("messages", name)])),
    "x-query": schemas.of(query),
    "x-sse-events": events,
  })

  return {
    asyncapi: "3.0.0",
    info: {
      title: "Matchpoint live channels",
      version: "1.0.0",
      description: `Live matches in real time, over a WebSocket or server-sent events. /openapi.json describes the REST API.\n\n${billing}`,
    },
    defaultContentType: "application/json",
    servers: {
      websocket: { host, protocol: secure ? "wss" : "ws", security },
      http: { host, protocol: secure ? "https" : "http", security },
    },
    channels: {
      live: socket(API_ROOT + SOCKET_PATH, "Live WebSocket", "Rooms: `all`, `match:<matchId>`."),
      stream: sse(API_ROOT + STREAM_PATH, "Live stream", StreamQuery),
      everyGame: socket(
        API_ROOT + socketPathOf(undefined),
        "Live WebSocket of all games that the plan includes",
        "Rooms: `all`, `all:<game>`, `match:<matchId>`. A match has the messages of its game.",
      ),
      everyGameStream: sse(API_ROOT + streamPathOf(undefined), "Live stream of all games that the plan includes", StreamQuery),
      replay: {
        ...sse(API_ROOT + REPLAY_PATH.replace(/:(\w+)/g, "{$1}"), "Replay of a stored match", ReplayQuery),
        parameters: { matchId: { description: "Id of the match" } },
      },
    },
    operations: {
      followLive: operation("send", "live", ofServer, "Messages from the server on the WebSocket."),
      askLive: operation("receive", "live", ofClient, "Messages from the client on the WebSocket."),
      followStream: operation("send", "stream", ofStream, "Messages from the server on the stream."),
      followEveryGame: operation("send", "everyGame", ofServer, "Messages from the server on the WebSocket of all games."),
      askEveryGame: operation("receive", "everyGame", ofClient, "Messages from the client on the WebSocket of all games."),
      followEveryGameStream: operation("send", "everyGameStream", ofStream, "Messages from the server on the stream of all games."),
      followReplay: operation("send", "replay", ofStream, "Messages from the server on a replay."),
    },
    components: {
      schemas: schemas.components,
      messages,
      securitySchemes: {
        apiKey: { type: "httpApiKey", name: API_KEY_HEADER, in: "header" },
        bearer: { type: "http", scheme: "bearer" },
        apiKeyInQuery: { type: "httpApiKey", name: "apiKey", in: "query", description: "For clients that cannot set headers" },
      },
    },
  }
}

const ref = (kind: "messages" | "securitySchemes", name: string) => ({ $ref: `#/components/${kind}/${name}` })

const operation = (action: "send" | "receive", channel: string, names: ReadonlyArray<string>, summary: string) => ({
  action,
  summary,
  channel: { $ref: `#/channels/${channel}` },
  messages: names.map((name) => ({ $ref: `#/channels/${channel}/messages/${name}` })),
})

const messageObject = ({ name, summary, schema, examples }: DocumentedMessage, schemas: JsonSchemas) => ({
  name,
  title: name,
  summary,
  contentType: "application/json",
  payload: schemas.of(schema),
  examples: examples.map((payload) => ({ payload })),
})

/**
 * Returns the examples that are valid for `schema`. The selection is needed because a message type can have several
 * schemas but has only one list of examples.
 */
function matchingExamples(schema: Schema.Codec<unknown>, examples: ReadonlyArray<unknown>): ReadonlyArray<unknown> {
  return examples.filter(Schema.is(schema))
}

const refusals = [
  "INVALID_API_KEY",
  "PLAN_REQUIRED",
  "GAME_NOT_INCLUDED",
  "HISTORY_LIMIT",
  "RATE_LIMIT_EXCEEDED",
  "TOO_MANY_CONNECTIONS",
  "TOO_MANY_HANDSHAKES",
  "TOO_MANY_REPLAYS",
  "SERVICE_UNAVAILABLE",
] as const satisfies ReadonlyArray<ErrorCode>

/** Description of the billing rules, which are the same for all channels. */
const billing = [
  "A channel costs one request when it opens, and one for every full interval that it stays open. The message `ready` contains the interval.",
  `The server may reject a handshake: ${refusals.map((code) => `${errorStatus[code]} ${code}`).join(", ")}. A rejected handshake costs nothing.`,
  "If a channel must end, the server first sends the reason: `error` with RATE_LIMIT_EXCEEDED if the monthly quota is used up, with",
  "INVALID_API_KEY if the key was revoked or has expired, with SERVICE_UNAVAILABLE if usage cannot be metered, or `reconnect` if the client",
  "should connect again.",
].join(" ")

const closeTable = [
  "| code | reason | reconnect |",
  "| --- | --- | --- |",
  ...Object.values(closeCodes).map(({ code, reason, reconnect }) => `| ${code} | ${reason} | ${reconnect ? "yes" : "no"} |`),
].join("\n")
