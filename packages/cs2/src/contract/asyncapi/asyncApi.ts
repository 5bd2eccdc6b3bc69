/**
 * Generates an AsyncAPI 3.0 document of the live channels, beside the OpenAPI document of the REST API: channels,
 * messages with schemas, examples and senders, close codes, and authentication. All content comes from the contract.
 */
import { API_KEY_HEADER } from "@matchpoint/contracts/http/Authentication"
import { API_ROOT } from "@matchpoint/contracts/http/apiRoot"
import { type ErrorCode, errorStatus } from "@matchpoint/contracts/http/errors"
import { closeCodes } from "@matchpoint/contracts/stream/closeCodes"
import { Shape } from "@matchpoint/contracts/stream/frames"
import { ClientMessage, Flush, MaxRateMs, ReplayOptions, SlowPolicy } from "@matchpoint/contracts/stream/messages"
import { replayPathOf, socketPathOf, streamPathOf } from "@matchpoint/contracts/stream/streamPaths"
import { HEARTBEAT } from "@matchpoint/contracts/stream/wire"
import type { DocumentedMessage, GameChannels } from "@matchpoint/game/contract/GameChannels"
import { Schema } from "effect"
import { REPLAY_PATH, SOCKET_PATH, STREAM_PATH } from "../http/streamPaths.ts"
import { ServerMessage, sseEvents } from "../serverMessages.ts"
import { JsonSchemas } from "./jsonSchemas.ts"
import { clientMessages, serverMessages } from "./messageExamples.ts"

/** Includes the API key, because browsers cannot set headers on WebSocket and SSE requests. */
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

/** Messages of CS2's live channels, named after their `type` or `action`. A snapshot in format v2 has the suffix `.v2`. */
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

/** Describes the channels of CS2, of all games together, and of the `others`. */
export const asyncApi = ({ host, secure }: ServerAddress, others: ReadonlyArray<GameChannels> = []) => {
  const schemas = new JsonSchemas(others.flatMap(({ definitions }) => definitions))
  const ofOthers = others.flatMap((game) => game.messages)
  const messages = Object.fromEntries(
    [...documentedMessages, ...ofOthers].map((message) => [message.name, messageObject(message, schemas)]),
  )
  const ofServer = namesOf(documentedMessages, "server")
  const ofClient = namesOf(documentedMessages, "client")
  const controls = ofServer.filter((name) => !name.startsWith("cs2."))
  /** Messages of the server on the channels of another game, and on those of all games. */
  const of = (game: GameChannels) => [...controls, ...namesOf(game.messages, "server")]
  const ofEveryGame = [...ofServer, ...namesOf(ofOthers, "server")]
  const security = [ref("securitySchemes", "apiKey"), ref("securitySchemes", "bearer"), ref("securitySchemes", "apiKeyInQuery")]
  const socket = (address: string, title: string, rooms: string, names: ReadonlyArray<string>) => ({
    address,
    title,
    description: `Text messages that contain JSON. ${rooms} Close codes of the server:\n\n${closeTable}`,
    servers: [{ $ref: "#/servers/websocket" }],
    messages: Object.fromEntries([...names, ...ofClient].map((name) => [name, ref("messages", name)])),
    bindings: { ws: { method: "GET", query: schemas.of(LiveQuery), bindingVersion: "0.1.0" } },
    "x-close-codes": closeCodes,
  })
  const sse = (address: string, title: string, query: Schema.Constraint, names: ReadonlyArray<string>) => ({
    address,
    title,
    description:
      "Server-sent events. The data of each event is one message. The name of the event is the name of the message; heartbeats are named `ping`.",
    servers: [{ $ref: "#/servers/http" }],
    messages: Object.fromEntries(names.map((name) => [name, ref("messages", name)])),
    "x-query": schemas.of(query),
    "x-sse-events": Object.fromEntries(names.map(typeOf).map((type) => [type, sseEventOf(type)])),
  })
  const replay = (path: string, title: string, names: ReadonlyArray<string>) => ({
    ...sse(API_ROOT + path.replace(/:(\w+)/g, "{$1}"), title, ReplayQuery, names),
    parameters: { matchId: { description: "Id of the match" } },
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
      live: socket(API_ROOT + SOCKET_PATH, "Live WebSocket", ROOMS, ofServer),
      stream: sse(API_ROOT + STREAM_PATH, "Live stream", StreamQuery, onStream(ofServer)),
      everyGame: socket(
        API_ROOT + socketPathOf(undefined),
        "Live WebSocket of all games that the plan includes",
        "Rooms: `all`, `all:<game>`, `match:<matchId>`. A match has the messages of its game.",
        ofEveryGame,
      ),
      everyGameStream: sse(
        API_ROOT + streamPathOf(undefined),
        "Live stream of all games that the plan includes",
        StreamQuery,
        onStream(ofEveryGame),
      ),
      replay: replay(REPLAY_PATH, "Replay of a stored match", onStream(ofServer)),
      ...Object.fromEntries(
        others.flatMap(
          (one): ReadonlyArray<readonly [string, ReturnType<typeof socket> | ReturnType<typeof sse>]> => [
            [`${one.game}Live`, socket(API_ROOT + socketPathOf(one.game), `Live WebSocket of ${one.title}`, ROOMS, of(one))],
            [`${one.game}Stream`, sse(API_ROOT + streamPathOf(one.game), `Live stream of ${one.title}`, StreamQuery, onStream(of(one)))],
            [`${one.game}Replay`, replay(replayPathOf(one.game), `Replay of a stored match of ${one.title}`, onStream(of(one)))],
          ],
        ),
      ),
    },
    operations: {
      followLive: operation("send", "live", ofServer, "Messages from the server on the WebSocket."),
      askLive: operation("receive", "live", ofClient, "Messages from the client on the WebSocket."),
      followStream: operation("send", "stream", onStream(ofServer), "Messages from the server on the stream."),
      followEveryGame: operation("send", "everyGame", ofEveryGame, "Messages from the server on the WebSocket of all games."),
      askEveryGame: operation("receive", "everyGame", ofClient, "Messages from the client on the WebSocket of all games."),
      followEveryGameStream: operation(
        "send",
        "everyGameStream",
        onStream(ofEveryGame),
        "Messages from the server on the stream of all games.",
      ),
      followReplay: operation("send", "replay", onStream(ofServer), "Messages from the server on a replay."),
      ...Object.fromEntries(
        others.flatMap((one) => {
          const { game, title } = one
          return [
            [`${game}FollowLive`, operation("send", `${game}Live`, of(one), `Messages from the server on the WebSocket of ${title}.`)],
            [`${game}AskLive`, operation("receive", `${game}Live`, ofClient, `Messages from the client on the WebSocket of ${title}.`)],
            [
              `${game}FollowStream`,
              operation("send", `${game}Stream`, onStream(of(one)), `Messages from the server on the stream of ${title}.`),
            ],
            [
              `${game}FollowReplay`,
              operation("send", `${game}Replay`, onStream(of(one)), `Messages from the server on a replay of ${title}.`),
            ],
          ]
        }),
      ),
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

const ROOMS = "Rooms: `all`, `match:<matchId>`."

const namesOf = (messages: ReadonlyArray<DocumentedMessage>, from: DocumentedMessage["from"]): ReadonlyArray<string> =>
  messages.filter((message) => message.from === from).map(({ name }) => name)

/** Two messages can have the same type. */
const typeOf = (name: string): string => name.replace(/\.v2$/, "")

const sseEventOf = (type: string): string => (type === HEARTBEAT ? sseEvents.ping : type)
const sseEventNames: ReadonlySet<string> = new Set(Object.values(sseEvents))

/** Types of messages that SSE does not have: answers to messages of the client. */
const onSocketOnly: ReadonlySet<string> = new Set(
  ServerMessage.members.map((schema) => schema.fields.type.literal).filter((type) => !sseEventNames.has(sseEventOf(type))),
)
const onStream = (names: ReadonlyArray<string>): ReadonlyArray<string> => names.filter((name) => !onSocketOnly.has(typeOf(name)))

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

/** The examples valid for `schema`: a message type can have several schemas but has only one list of examples. */
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

/** The same for all channels. */
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
