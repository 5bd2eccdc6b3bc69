import { WebhookVerificationError } from "./WebhookVerificationError.ts"

/**
 * A verified event. By default `event` is any name and `data` any JSON object. With a type from names to data, such as
 * `{ "match.ended": MatchEnded }`, it is a union that `event` discriminates.
 */
export type WebhookEvent<Events extends object = Record<string, Record<string, unknown>>> = {
  readonly [Name in keyof Events & string]: {
    /** The same for every attempt: ignore an id that was handled before. */
    readonly id: string
    readonly event: Name
    /** Time of the event, not of the delivery. */
    readonly occurredAt: Date
    readonly data: Events[Name]
  }
}[keyof Events & string]

/**
 * Events of all games have their time in `created_at`, events of one game in `timestamp`. Throws a
 * `WebhookVerificationError` with the reason `invalid_body`. Does not check the fields of `data`.
 */
export const parseEvent = (text: string): WebhookEvent => {
  const body: unknown = parse(text)
  if (!isRecord(body)) throw invalid("it is not a JSON object")
  const { created_at, data, event, id, timestamp } = body
  if (typeof id !== "string" || typeof event !== "string") throw invalid("`id` and `event` must be strings")
  const time = created_at ?? timestamp
  const occurredAt = new Date(typeof time === "string" ? time : Number.NaN)
  if (Number.isNaN(occurredAt.getTime())) throw invalid("`created_at` or `timestamp` must be a time")
  if (!isRecord(data)) throw invalid("`data` must be an object")
  return { id, event, occurredAt, data }
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw invalid("it is not JSON", cause)
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value)

const invalid = (problem: string, cause?: unknown): WebhookVerificationError =>
  new WebhookVerificationError(
    "invalid_body",
    `The signature is correct, but the body is not an event: ${problem}. Check that this secret belongs to a Matchpoint webhook.`,
    cause === undefined ? undefined : { cause },
  )
