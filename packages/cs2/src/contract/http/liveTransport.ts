/** Model of the response that describes how to follow a live match. */
import { Cursor } from "@matchpoint/contracts/stream/cursors"
import { Shape } from "@matchpoint/contracts/stream/frames"
import { Plan } from "@matchpoint/domain/plans"
import { Schema } from "effect"
import { MatchId } from "../../rules/ids.ts"

const Subscribe = Schema.Struct({
  action: Schema.Literal("subscribe"),
  rooms: Schema.Array(Schema.String),
  resume: Schema.optionalKey(Schema.Record(Schema.String, Cursor)),
  shape: Schema.optionalKey(Shape),
}).annotate({ identifier: "Subscribe" })

export const LiveTransport = Schema.Struct({
  entityType: Schema.Literal("cs2_live_transport"),
  matchId: MatchId,
  transports: Schema.Struct({
    websocket: Schema.Struct({
      url: Schema.String,
      auth: Schema.String,
      subscribe: Subscribe,
      allLiveMatches: Subscribe,
      /**
       * Example of the message that a client sends to resume the stream after its connection was lost. It contains the
       * current cursor of the match.
       */
      resume: Subscribe,
      /** All message types that the server sends, that is, all values of the field `type`. */
      messages: Schema.Array(Schema.String),
      /** Plans that include the WebSocket. */
      plans: Schema.Array(Plan),
      /** Plans for which the WebSocket is available as an add-on. */
      addOnOf: Schema.Array(Plan),
      delay: Schema.String,
    }),
    sse: Schema.Struct({
      url: Schema.String,
      note: Schema.String,
      billing: Schema.String,
      delay: Schema.String,
      /** Names of the SSE events. */
      events: Schema.Array(Schema.String),
    }),
    replay: Schema.Struct({ url: Schema.String, room: Schema.String, note: Schema.String }),
  }),
  v2Shape: Schema.String,
}).annotate({ identifier: "LiveTransport" })
export type LiveTransport = typeof LiveTransport.Type
