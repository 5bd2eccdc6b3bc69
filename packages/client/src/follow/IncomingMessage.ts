/**
 * A server's message as the client reads it: its head is checked, its document is taken as it comes. Fields and messages that a newer
 * server adds must not hurt: unknown fields of documents are kept (the state hash covers them), unknown messages are passed over.
 */
import { anyFrameParts, framesOf } from "@matchpoint/contracts/stream/frames"
import { CaughtUp, Gap, Heartbeat, Ready, Reconnect, Resumed, StreamError } from "@matchpoint/contracts/stream/messages"
import { HEARTBEAT } from "@matchpoint/contracts/stream/wire"
import { Result, Schema } from "effect"

/** Kinds of frames. Their types on the wire are `<game>.live.<kind>`. */
export const UPDATE = "update"
export const SNAPSHOT = "snapshot"
export const DELTA = "delta"

const {
  LiveUpdate: Update,
  LiveSnapshot: Snapshot,
  CompactSnapshot: Compact,
  LiveDelta: Delta,
} = framesOf({ ...anyFrameParts, update: Schema.Literal(UPDATE), snapshot: Schema.Literal(SNAPSHOT), delta: Schema.Literal(DELTA) })

const Hello = Schema.Struct({
  type: Ready.fields.type,
  plan: Ready.fields.plan,
  delay_seconds: Ready.fields.delay_seconds,
  heartbeat_seconds: Ready.fields.heartbeat_seconds,
  slow: Ready.fields.slow,
})
const Hole = Schema.Struct({ ...Gap.fields, reason: Schema.String })
const Leave = Schema.Struct({ type: Reconnect.fields.type, after_ms: Reconnect.fields.after_ms })
const Trouble = Schema.Struct({ ...StreamError.fields, code: Schema.String })

export type IncomingSnapshot = (typeof Snapshot | typeof Compact)["Type"]
export type IncomingFrame = IncomingSnapshot | (typeof Update | typeof Delta)["Type"]
export type IncomingMessage =
  | IncomingFrame
  | (typeof Hello | typeof Resumed | typeof CaughtUp | typeof Hole | typeof Heartbeat | typeof Leave | typeof Trouble)["Type"]

const decoders: Readonly<Record<string, (input: unknown) => Result.Result<IncomingMessage, unknown>>> = {
  ready: Schema.decodeUnknownResult(Hello),
  resumed: Schema.decodeUnknownResult(Resumed),
  caught_up: Schema.decodeUnknownResult(CaughtUp),
  [SNAPSHOT]: Schema.decodeUnknownResult(Schema.Union([Compact, Snapshot])),
  [UPDATE]: Schema.decodeUnknownResult(Update),
  [DELTA]: Schema.decodeUnknownResult(Delta),
  gap: Schema.decodeUnknownResult(Hole),
  [HEARTBEAT]: Schema.decodeUnknownResult(Heartbeat),
  reconnect: Schema.decodeUnknownResult(Leave),
  error: Schema.decodeUnknownResult(Trouble),
}

const decodeTyped = Schema.decodeUnknownResult(
  Schema.fromJsonString(Schema.StructWithRest(Schema.Struct({ type: Schema.String }), [Schema.Record(Schema.String, Schema.Unknown)])),
)

const FRAME_TYPE = /^[a-z][a-z0-9]{1,15}\.live\.(update|snapshot|delta)$/

/** Undefined: of no concern to us. Failure: what a server of this contract would never send. */
export const readMessage = (text: string): Result.Result<IncomingMessage | undefined, string> => {
  const typed = decodeTyped(text)
  if (Result.isFailure(typed)) return Result.fail("not a JSON object with a type")
  const type = FRAME_TYPE.exec(typed.success.type)?.[1] ?? typed.success.type
  const decode = Object.hasOwn(decoders, type) ? decoders[type] : undefined
  return decode === undefined
    ? Result.succeed(undefined)
    : Result.mapError(decode({ ...typed.success, type }), (issue) => `${type}: ${String(issue)}`)
}
