/**
 * The OpenAPI document of the public API: one document of the contract's endpoints, their second shape and the live channels. Nothing is
 * said by hand that the contract says; what a contract cannot say (headers, prices, which plans) comes from where it is decided.
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
    "Every answer is `{ success, data, meta }`. Every error is `{ success: false, error: { code, message, details? } }`, or a problem (RFC 9457) for whoever sends `Accept: application/problem+json`.",
    "A plan has a quota of requests per month, which the keys of an account share, and a rate per second for each key; `RateLimit` tells how they stand. The three ways to meet a limit, all 429, are told apart by `error.details.limit`: `requests_per_second`, `requests_per_month`, `connections`. `GET /plans` lists the plans, `GET /usage` what you have used: both cost nothing.",
    "The messages of the live channels are described by `/asyncapi.json`.",
  ].join("\n\n"),
  license: { name: "All rights reserved", identifier: "LicenseRef-All-Rights-Reserved" },
} as const

export interface Contracts<A extends HttpApiGroup.Constraint, B extends HttpApiGroup.Constraint, C extends HttpApiGroup.Constraint> {
  readonly endpoints: HttpApi.HttpApi<string, A>
  /** The same paths in another shape. */
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
    // Channels of a section are described under its own name.
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

/** The generator names what an error is on the wire `<name>Encoded`, and there is no other here. */
const renamed = <A>(part: A, errors: ReadonlyArray<string>): A => {
  let text = JSON.stringify(part)
  for (const name of errors) text = text.replaceAll(`"${name}Encoded"`, `"${name}"`).replaceAll(`/${name}Encoded"`, `/${name}"`)
  return JSON.parse(text)
}

const problems = (schemas: Schemas, errors: ReadonlyMap<string, number>): Schemas =>
  Object.fromEntries(
    [...errors].flatMap(([name, status]) => {
      const envelope = schemas[`${name}Encoded`]
      return envelope === undefined ? [] : [[problemName(name), problemSchema(envelope, status)]]
    }),
  )
