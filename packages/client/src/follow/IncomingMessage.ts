/**
 * Parses server messages. Validates the fields that the client's rules depend on and accepts match documents as they
 * are. A newer server may add fields and types: messages of unknown types are ignored, and unknown fields of documents
 * are kept, because the hash of the document covers them.
 */
import type { JsonObject } from "@matchpoint/contracts/stream/compact/mergePatch"
import type { CaughtUp, Gap, Heartbeat, Ready, Reconnect, Resumed, StreamError } from "@matchpoint/contracts/stream/messages"
import { matchIdPattern } from "@matchpoint/domain/idPatterns"
import type { MatchId } from "@matchpoint/domain/ids"
import { parsed } from "./refusal.ts"

/** In the protocol, the type of a frame is `<game>.live.<kind>`. */
export const UPDATE = "update"
export const SNAPSHOT = "snapshot"
export const DELTA = "delta"

interface Head {
  readonly matchId: MatchId
  readonly epoch: number
  readonly seq: number
  readonly position: number
  readonly observedAt: string
  readonly receivedAt: string
  readonly publishedAt: string
}

interface Update extends Head {
  readonly type: typeof UPDATE
  readonly event: JsonObject | null
  readonly data: JsonObject
}

interface FullSnapshot extends Head {
  readonly type: typeof SNAPSHOT
  readonly event: JsonObject | null
  readonly data: JsonObject
}

interface CompactSnapshot extends Head {
  readonly type: typeof SNAPSHOT
  readonly hash: string
  readonly data: JsonObject
}

interface Delta extends Head {
  readonly type: typeof DELTA
  readonly base: number
  readonly events: ReadonlyArray<JsonObject>
  readonly patch: JsonObject
  readonly hash?: string
}

export type IncomingSnapshot = FullSnapshot | CompactSnapshot
export type IncomingFrame = IncomingSnapshot | Update | Delta
export type IncomingMessage =
  | IncomingFrame
  | Pick<Ready, "type" | "plan" | "delay_seconds" | "heartbeat_seconds" | "slow">
  | Pick<Resumed, "type" | "verdict" | "missing">
  | Pick<CaughtUp, "type">
  | (Pick<Gap, "type" | "missing"> & { readonly reason: string })
  | Pick<Heartbeat, "type" | "at" | "matches">
  | Pick<Reconnect, "type" | "after_ms">
  | (Pick<StreamError, "type" | "message"> & { readonly code: string })

/** The message violates the contract. */
export interface Malformed {
  readonly type: "malformed"
  readonly why: string
}

/** Returns undefined for message types that the client does not use. */
export const readMessage = (text: string): IncomingMessage | Malformed | undefined => {
  const message = parsed(text)
  if (!isObject(message) || typeof message["type"] !== "string") return { type: "malformed", why: "not a JSON object with a type" }
  const type = FRAME_TYPE.exec(message["type"])?.[1] ?? message["type"]
  const fields = Object.hasOwn(fieldsOf, type) ? fieldsOf[type] : undefined
  if (fields === undefined) return undefined
  const wrong = Object.keys(fields).find((field) => fields[field]?.(message[field]) === false)
  if (wrong !== undefined) return { type: "malformed", why: `${type}: unexpected value of ${wrong}` }
  if (type !== SNAPSHOT) return { ...message, type } as IncomingMessage
  const isCompact = message["shape"] === "v2"
  const own = isCompact ? "hash" : "event"
  if (!(isCompact ? isString : isEvent)(message[own])) return { type: "malformed", why: `${type}: unexpected value of ${own}` }
  const { event, hash, ...head } = message
  return { ...head, type, ...(isCompact ? { hash } : { event }) } as unknown as IncomingSnapshot
}

const FRAME_TYPE = /^[a-z][a-z0-9]{1,15}\.live\.(update|snapshot|delta)$/

type Check = (value: unknown) => boolean

const isObject = (value: unknown): value is JsonObject => typeof value === "object" && value !== null && !Array.isArray(value)
const isString = (value: unknown): boolean => typeof value === "string"
const isNatural = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0
const isMatchId = (value: unknown): boolean => typeof value === "string" && matchIdPattern.test(value)
const isEvent = (value: unknown): boolean => value === null || isObject(value)
const oneOf =
  (...literals: ReadonlyArray<string>): Check =>
  (value) =>
    literals.some((literal) => literal === value)
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value)
const arrayOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check)
const objectOf =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isObject(value) && Object.entries(checks).every(([field, check]) => check(value[field]))

const head = {
  matchId: isMatchId,
  epoch: isNatural,
  seq: isNatural,
  position: isNatural,
  observedAt: isString,
  receivedAt: isString,
  publishedAt: isString,
}
const missing = arrayOf(objectOf({ matchId: isMatchId, epoch: isNatural, from: isNatural, to: isNatural }))

/** The fields that the client's rules depend on, by message type. */
const fieldsOf: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  ready: { plan: isString, delay_seconds: isNatural, heartbeat_seconds: isNatural, slow: oneOf("conflate", "catchup", "close") },
  resumed: { verdict: oneOf("recovered", "partial", "reset"), missing },
  caught_up: {},
  [SNAPSHOT]: { ...head, data: isObject },
  [UPDATE]: { ...head, event: isEvent, data: isObject },
  [DELTA]: { ...head, base: isNatural, events: arrayOf(isObject), patch: isObject, hash: optional(isString) },
  gap: { reason: isString, missing },
  heartbeat: { at: isString, matches: arrayOf(objectOf({ matchId: isMatchId, epoch: isNatural, seq: isNatural, age_ms: isNatural })) },
  reconnect: { after_ms: isNatural },
  error: { code: isString, message: isString },
}
