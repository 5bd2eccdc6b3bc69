/**
 * Response headers: descriptions, and which responses have which. The document has each description once, under
 * `components/headers`.
 */
import { errorStatus } from "../errors.ts"
import type { Header, Reference } from "./Document.ts"

export const answerHeaders = {
  "X-Request-Id": {
    description:
      "Id of the request: the `X-Request-Id` you sent if it matches `[A-Za-z0-9._-]{1,64}`, otherwise a generated one. Quote it in support requests",
    schema: { type: "string", maxLength: 64 },
    example: "b7d1e09a4c-2f",
  },
  "RateLimit-Policy": {
    description:
      'Limits of the key and the account (draft-ietf-httpapi-ratelimit-headers): `q` requests in a window of `w` seconds. "second" is the rate of the key, "month" the quota of the account',
    schema: { type: "string" },
    example: '"second";q=25;w=1, "month";q=1000000;w=2592000',
  },
  RateLimit: {
    description: "Remaining requests of each limit: `r` requests until the window ends in `t` seconds",
    schema: { type: "string" },
    example: '"second";r=24;t=1, "month";r=998213;t=777600',
  },
  "Retry-After": { description: "Seconds to wait before trying again", schema: { type: "integer", minimum: 1 }, example: 1 },
  Location: {
    description: "Where to ask instead: an absolute path of this server, with the query",
    schema: { type: "string" },
    example: "/api/v1/cs2/teams/alpha-wolves/trends?unit=quarter",
  },
  ETag: {
    description:
      "Version of the response. On live reads it changes with every frame and with the shape, elsewhere with the bytes of the response. Compressed responses have a weak ETag (`W/`). Send it as `If-None-Match` to get 304 if nothing changed",
    schema: { type: "string" },
    example: '"1.412-v1.d0"',
  },
  "Cache-Control": {
    description:
      "`private, no-cache`: a client may store the response but must revalidate it before reuse. On QR codes `private, max-age=31536000, immutable`: a client may use the stored response for a year",
    schema: { type: "string" },
    example: "private, no-cache",
  },
  Vary: {
    description: "Request headers that select the response: `Accept` selects the shape of live reads, `Accept-Encoding` the compression",
    schema: { type: "string" },
    example: "Accept, Accept-Encoding",
  },
} as const satisfies Readonly<Record<string, Header>>

type Name = keyof typeof answerHeaders

/** Headers of 200 and 304 responses of endpoints that support `If-None-Match`. */
export const entityTagHeaders: ReadonlyArray<Name> = ["ETag", "Cache-Control", "Vary"]

/** `metered` endpoints report rate limits with every status except 401, because without a valid key there are none. */
export const headersOf = (status: number, metered: boolean): ReadonlyArray<Name> => [
  "X-Request-Id",
  ...(metered && !beforeLimits.has(status) ? (["RateLimit-Policy", "RateLimit"] as const) : []),
  ...(retried.has(status) ? (["Retry-After"] as const) : []),
]

export const headerRefs = (names: ReadonlyArray<Name>): Readonly<Record<string, Reference>> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

const beforeLimits = new Set<number>([errorStatus.INVALID_API_KEY])
const retried = new Set<number>([errorStatus.RATE_LIMIT_EXCEEDED, errorStatus.SERVICE_UNAVAILABLE])
