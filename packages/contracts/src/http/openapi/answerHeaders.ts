/** The headers of answers, described once under `components/headers`, and which answers have which. */
import { errorStatus } from "../errors.ts"
import type { Header, Reference } from "./Document.ts"

export const answerHeaders = {
  "X-Request-Id": {
    description:
      "The name of the request: yours, if you sent one that fits `[A-Za-z0-9._-]{1,64}`, or ours. Tell it when you ask us about an answer",
    schema: { type: "string", maxLength: 64 },
    example: "b7d1e09a4c-2f",
  },
  "RateLimit-Policy": {
    description:
      'What was agreed (draft-ietf-httpapi-ratelimit-headers): `q` requests in a window of `w` seconds. "second" is the rate of the key, "month" the quota of the account',
    schema: { type: "string" },
    example: '"second";q=25;w=1, "month";q=1000000;w=2592000',
  },
  RateLimit: {
    description: "What is left of it: `r` requests, until the window ends in `t` seconds",
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
      "Names what is shown: of live reads it changes with every frame and with the shape, of others with the bytes. Compressed answers have its weak form (`W/`). Send it back as `If-None-Match`",
    schema: { type: "string" },
    example: '"1.412-v1.d0"',
  },
  "Cache-Control": {
    description: "`private, no-cache`: keep it, but ask before using it again",
    schema: { type: "string" },
    example: "private, no-cache",
  },
  Vary: {
    description: "What of a request chooses the answer: `Accept` the shape of live reads, `Accept-Encoding` the compression",
    schema: { type: "string" },
    example: "Accept, Accept-Encoding",
  },
} as const satisfies Readonly<Record<string, Header>>

type Name = keyof typeof answerHeaders

/** Headers of 200 and 304 where `If-None-Match` works. */
export const ofEntities: ReadonlyArray<Name> = ["ETag", "Cache-Control", "Vary"]

/** `metered`: of an endpoint that tells how the limits stand, which it can as soon as it knows whose they are. */
export const headersOf = (status: number, metered: boolean): ReadonlyArray<Name> => [
  "X-Request-Id",
  ...(metered && !beforeLimits.has(status) ? (["RateLimit-Policy", "RateLimit"] as const) : []),
  ...(retried.has(status) ? (["Retry-After"] as const) : []),
]

export const headerRefs = (names: ReadonlyArray<Name>): Readonly<Record<string, Reference>> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

const beforeLimits = new Set<number>([errorStatus.INVALID_API_KEY])
const retried = new Set<number>([errorStatus.RATE_LIMIT_EXCEEDED, errorStatus.SERVICE_UNAVAILABLE])
