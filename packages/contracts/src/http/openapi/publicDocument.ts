/**
 * The OpenAPI document of the public API: endpoints, their second response format (v2) and live channels. It is
 * generated from the contracts. Headers, costs and plans, which contracts cannot express, come from their own modules.
 */
import type { HttpApi, HttpApiGroup } from "effect/http-api"
import { answerHeaders } from "./answerHeaders.ts"
import type { Paths, Schemas } from "./Document.ts"
import { problemName, problemSchema } from "./errorAnswers.ts"
import { describeApi } from "./operations.ts"

const info = {
  title: "Matchpoint",
  version: "1.0.0",
  summary: "Self-hosted live data of esports and tennis",
  description: [
    "Every response is `{ success, data, meta }`. Every error is `{ success: false, error: { code, message, details? } }`, or problem details (RFC 9457) if the request has `Accept: application/problem+json`. QR codes are images, and their errors are `{ success: false, error: <message> }`.",
    "A plan has a monthly quota of requests, shared by all keys of an account, and a rate per second for each key. The header `RateLimit` shows what is left of both. A request over a limit is rejected with 429, and `error.details.limit` names the limit: `requests_per_second`, `requests_per_month` or `connections`. `GET /plans` lists the plans and `GET /usage` shows your usage. Both are free of charge.",
    "The cost of an operation is charged for responses with data (2xx). 304 and errors cost nothing. Every request counts towards the requests per second of the key, also those that cost nothing.",
    "Integers are exact: between -2^53 and 2^53.",
    "`/asyncapi.json` describes the messages of the live channels.",
  ].join("\n\n"),
  license: { name: "All rights reserved", identifier: "LicenseRef-All-Rights-Reserved" },
} as const

export interface Contracts<A extends HttpApiGroup.Constraint, B extends HttpApiGroup.Constraint, C extends HttpApiGroup.Constraint> {
  readonly endpoints: HttpApi.HttpApi<string, A>
  /** The same paths with responses in format v2. */
  readonly otherShape: HttpApi.HttpApi<string, B>
  readonly streams: HttpApi.HttpApi<string, C>
}

export const publicDocument = <A extends HttpApiGroup.Constraint, B extends HttpApiGroup.Constraint, C extends HttpApiGroup.Constraint>({
  endpoints,
  otherShape,
  streams,
}: Contracts<A, B, C>) => {
  const other = describeApi(otherShape, "requests")
  const reads = describeApi(endpoints, "requests", other.paths)
  const channels = describeApi(streams, "stream")
  const errors = new Map([...reads.errors, ...channels.errors])
  const names = [...errors.keys()]
  const schemas: Schemas = { ...other.schemas, ...reads.schemas, ...channels.schemas }
  const paths: Paths = { ...reads.paths, ...channels.paths }
  return {
    openapi: "3.1.0",
    info,
    servers: [{ url: "/", description: "This server" }],
    // A section's channels and endpoints have the same tag.
    tags: [...reads.tags, ...channels.tags.filter(({ name }) => !reads.tags.some((tag) => tag.name === name))],
    security: [],
    paths: renamed(paths, names),
    components: {
      schemas: { ...renamed(schemas, names), ...problems(schemas, errors) },
      headers: answerHeaders,
      securitySchemes: { ...reads.securitySchemes, ...channels.securitySchemes },
    },
  }
}

/**
 * Removes the suffix that the generator appends to the names of errors. Names cannot collide, because the document has
 * no other schemas of errors.
 */
const renamed = <A>(part: A, errors: ReadonlyArray<string>): A =>
  JSON.parse(JSON.stringify(part).replaceAll(new RegExp(`(["/])(${errors.join("|")})Encoded"`, "g"), '$1$2"'))

const problems = (schemas: Schemas, errors: ReadonlyMap<string, number>): Schemas =>
  Object.fromEntries(
    [...errors].flatMap(([name, status]) => {
      const envelope = schemas[`${name}Encoded`]
      const problem = envelope && problemSchema(envelope, status)
      return problem === undefined ? [] : [[problemName(name), problem]]
    }),
  )
