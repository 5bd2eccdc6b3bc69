/**
 * Standard Webhooks signatures, which cover the event id, the time of the attempt and the body. Runs wherever WebCrypto
 * exists: Node 18 or later, browsers, edge runtimes. Does not remember event ids.
 */
import { signatureKey } from "./signatureKey.ts"
import { parseEvent, type WebhookEvent } from "./WebhookEvent.ts"
import { WebhookVerificationError } from "./WebhookVerificationError.ts"

/** A `Headers` object, or a record such as `request.headers` of Node. */
export type WebhookHeaders =
  | { readonly get: (name: string) => string | null }
  | Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** A delivery and what it is verified with. */
export interface VerifyWebhookOptions {
  /** The body exactly as received. JSON that was parsed and written again does not verify. */
  readonly body: string | Uint8Array
  /** The case of names does not matter. */
  readonly headers: WebhookHeaders
  /** The secret of the webhook. During a rotation, the old and the new one. */
  readonly secrets: string | ReadonlyArray<string>
  /** How far the time of the attempt may be from `now`, in seconds. Default 300. */
  readonly toleranceSeconds?: number
  /** Current time in epoch milliseconds. Default `Date.now()`. */
  readonly now?: number
}

/** Bounds the work for a forged header. Deliveries have at most two signatures. */
const MAX_SIGNATURES = 8

/**
 * Verifies a delivery and returns its event, without checking the fields of `data`. The comparison takes constant time.
 * Rejects with a `WebhookVerificationError`. An event can arrive more than once: ignore an `id` that was handled
 * before.
 */
export const verifyWebhook = async <Events extends object = Record<string, Record<string, unknown>>>({
  body,
  headers,
  now = Date.now(),
  secrets,
  toleranceSeconds = 300,
}: VerifyWebhookOptions): Promise<WebhookEvent<Events>> => {
  const bytes = bytesOf(body)
  const id = headerOf(headers, "webhook-id")
  const timestamp = headerOf(headers, "webhook-timestamp")
  const signatures = headerOf(headers, "webhook-signature")
  assertRecent(timestamp, now, toleranceSeconds)
  const signed = concatenate(new TextEncoder().encode(`${id}.${timestamp}.`), bytes)
  if (!(await isSigned(signed, signatures, typeof secrets === "object" ? secrets : [secrets]))) {
    throw new WebhookVerificationError(
      "wrong_signature",
      "No signature matches. Check that `secrets` has the secret of this webhook, and that `body` is the raw body, before any parsing.",
    )
  }
  // The signature proves that the server sent the body. The caller chooses the type of the server's events.
  return parseEvent(new TextDecoder().decode(bytes)) as WebhookEvent<Events>
}

const bytesOf = (body: unknown): Uint8Array => {
  if (typeof body === "string") return new TextEncoder().encode(body)
  if (body instanceof Uint8Array) return body
  throw new WebhookVerificationError(
    "invalid_body",
    "`body` must be a string or a Uint8Array. Pass the raw body of the request, not the parsed JSON.",
  )
}

const headerOf = (headers: WebhookHeaders, name: string): string => {
  const value = typeof headers.get === "function" ? headers.get(name) : fieldOf(headers, name)
  const text = typeof value === "string" || value === null || value === undefined ? value : value.join(" ")
  if (text) return text
  throw new WebhookVerificationError(
    "missing_headers",
    `The header ${name} is missing. Pass all headers of the request, and check that no proxy removes this one.`,
  )
}

const fieldOf = (headers: object, name: string): string | ReadonlyArray<string> | undefined =>
  Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]

const assertRecent = (timestamp: string, now: number, toleranceSeconds: number): void => {
  if (!/^\d{1,12}$/.test(timestamp)) {
    throw new WebhookVerificationError("missing_headers", "The header webhook-timestamp is not a time in Unix seconds.")
  }
  // Negated, so that a tolerance that is not a number rejects every delivery.
  const ageSeconds = now / 1_000 - Number(timestamp)
  const limit = `more than ${toleranceSeconds} seconds`
  if (!(ageSeconds <= toleranceSeconds)) {
    throw new WebhookVerificationError(
      "timestamp_too_old",
      `The delivery was sent ${limit} ago. Check the clock of this machine. If it is correct, reject the delivery: it may be a replay.`,
    )
  }
  if (!(-ageSeconds <= toleranceSeconds)) {
    throw new WebhookVerificationError(
      "timestamp_too_new",
      `The delivery is dated ${limit} in the future. Check the clock of this machine.`,
    )
  }
}

const concatenate = (first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> => {
  const whole = new Uint8Array(first.length + second.length)
  whole.set(first)
  whole.set(second, first.length)
  return whole
}

const isSigned = async (signed: Uint8Array<ArrayBuffer>, signatures: string, secrets: ReadonlyArray<string>): Promise<boolean> => {
  const keys = await Promise.all(secrets.map(signatureKey))
  if (keys.length === 0) throw new WebhookVerificationError("invalid_secret", "`secrets` is empty. Pass the secret of the webhook.")
  for (const entry of signatures.split(" ").slice(0, MAX_SIGNATURES)) {
    if (!entry.startsWith("v1,")) continue
    for (const { matches } of keys) if (await matches(entry.slice(3), signed)) return true
  }
  return false
}
