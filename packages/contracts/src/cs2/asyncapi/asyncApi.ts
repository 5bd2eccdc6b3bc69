/**
 * The live channels as an AsyncAPI 3.0 document, beside OpenAPI's of the REST API: channels, who sends what on them, every message with
 * its schema and examples, close codes and keys. Made of the contract; it owns no field of its own.
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

/** What a client may ask for in the query of the live channels. The key is there for browsers, which cannot set headers. */
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

/** By name: its `type` or `action`; the second shape of a snapshot has `.v2` behind it. */
export const documentedMessages: ReadonlyArray<DocumentedMessage> = [
  ...ServerMessage.members.map((schema): DocumentedMessage => {
    const type = schema.fields.type.literal
    const { summary, examples } = serverMessages[type]
    const name = "shape" in schema.fields && "literal" in schema.fields.shape ? `${type}.${schema.fields.shape.literal}` : type
    return { name, from: "server", summary, schema, examples: fitting(schema, examples) }
  }),
  ...ClientMessage.members.map((schema): DocumentedMessage => {
    const name = schema.fields.action.literal
    const { summary, examples } = clientMessages[name]
    return { name, from: "client", summary, schema, examples: fitting(schema, examples) }
  }),
]

export interface Place {
  /** With the port, e.g. `api.example.com`. */
  readonly host: string
  readonly secure: boolean
}

export const asyncApi = ({ host, secure }: Place) => {
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
    description: `JSON messages as text. ${rooms} The server closes with:\n\n${closeTable}`,
    servers: [{ $ref: "#/servers/websocket" }],
    messages: Object.fromEntries(documentedMessages.map(({ name }) => [name, ref("messages", name)])),
    bindings: { ws: { method: "GET", query: schemas.of(LiveQuery), bindingVersion: "0.1.0" } },
    "x-close-codes": closeCodes,
  })
  const sse = (address: string, title: string, query: Schema.Constraint) => ({
    address,
    title,
    description: "Server-sent events; the data of each is one message. A message comes as the event of its name, a heartbeat as `ping`.",
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
      description: `Live matches as they happen, over a WebSocket or server-sent events. The REST API is described by /openapi.json.\n\n${billing}`,
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
        "Live WebSocket of every game that the plan includes",
        "Rooms: `all`, `all:<game>`, `match:<matchId>`. Messages of a match are those of its game.",
      ),
      everyGameStream: sse(API_ROOT + streamPathOf(undefined), "Live stream of every game that the plan includes", StreamQuery),
      replay: {
        ...sse(API_ROOT + REPLAY_PATH.replace(/:(\w+)/g, "{$1}"), "A stored match, played again", ReplayQuery),
        parameters: { matchId: { description: "The match" } },
      },
    },
    operations: {
      followLive: operation("send", "live", ofServer, "What the server says on the WebSocket."),
      askLive: operation("receive", "live", ofClient, "What a client may say on the WebSocket."),
      followStream: operation("send", "stream", ofStream, "What the server says on the stream."),
      followEveryGame: operation("send", "everyGame", ofServer, "What the server sends on the WebSocket of every game."),
      askEveryGame: operation("receive", "everyGame", ofClient, "What a client may send on the WebSocket of every game."),
      followEveryGameStream: operation("send", "everyGameStream", ofStream, "What the server sends on the stream of every game."),
      followReplay: operation("send", "replay", ofStream, "What the server says on a replay."),
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

/** Of the examples of a type, those of this member of the union. */
function fitting(schema: Schema.Codec<unknown>, examples: ReadonlyArray<unknown>): ReadonlyArray<unknown> {
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

/** The same on all channels. */
const billing = [
  "A channel costs one request when it opens and one for every full interval that it stays open; `ready` tells the interval.",
  `A handshake may be refused: ${refusals.map((code) => `${errorStatus[code]} ${code}`).join(", ")}. A refused one costs nothing.`,
  "A channel that may not go on says why, then ends: `error` with RATE_LIMIT_EXCEEDED when the month's requests are used up, with",
  "INVALID_API_KEY when the key was revoked or has expired, with SERVICE_UNAVAILABLE when usage cannot be metered; `reconnect` when it is to",
  "come back.",
].join(" ")

const closeTable = [
  "| code | reason | reconnect |",
  "| --- | --- | --- |",
  ...Object.values(closeCodes).map(({ code, reason, reconnect }) => `| ${code} | ${reason} | ${reconnect ? "yes" : "no"} |`),
].join("\n")
