/** Operations from Effect's OpenAPI generator, completed with the annotations of the endpoints. */
import { Context, type JsonSchema, Option, Schema } from "effect"
import { HttpApi, type HttpApiEndpoint, type HttpApiGroup, OpenApi } from "effect/http-api"
import { Announced } from "../announced/Announced.ts"
import { ConditionalGet, Immutable } from "../ConditionalGet.ts"
import { FORMER_SLUG_STATUS, FollowsSlugs, FormerSlug } from "../FormerSlug.ts"
import { Metering } from "../Metering.ts"
import { entityTagHeaders, headerRefs, headersOf } from "./answerHeaders.ts"
import { type Billing, chargesOf } from "./charges.ts"
import type { Answer, Operation, Paths } from "./Document.ts"
import { errorAnswer, errorName } from "./errorAnswers.ts"
import { parametersOf } from "./parameters.ts"

export interface Described {
  readonly paths: Paths
  /** Schemas by the names that Effect's generator assigns. Those of errors end in `Encoded`. */
  readonly schemas: Readonly<Record<string, JsonSchema.JsonSchema>>
  readonly securitySchemes: Readonly<Record<string, OpenApi.OpenAPISecurityScheme>>
  readonly tags: ReadonlyArray<OpenApi.OpenAPISpecTag>
  /** HTTP status by the name of the error's schema. */
  readonly errors: ReadonlyMap<string, number>
}

/**
 * `otherShapes` has the same paths with a different response format, which clients select with `Accept`. The 200
 * responses of both are merged. Endpoints with two formats, and those with {@link ConditionalGet} or {@link Immutable},
 * are described with ETags.
 */
export const describeApi = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  billing: Billing,
  otherShapes: Paths = {},
): Described => {
  const generated = OpenApi.fromApi(api)
  const paths: Record<string, Record<string, Operation>> = {}
  const statuses = new Map<string, number>()
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, errors, group, middleware }) => {
      const path = pathOf(endpoint)
      const method = endpoint.method.toLowerCase()
      const operation = new Map(Object.entries(generated.paths[path] ?? {})).get(method)
      if (operation === undefined || !("responses" in operation)) return
      for (const [status, kinds] of errors) for (const kind of kinds) statuses.set(errorName(kind), status)
      const isMetered = [...middleware].some(({ key }) => key === Metering.key)
      const annotations = Context.merge(group.annotations, endpoint.annotations)
      const { metering, text } = chargesOf(annotations, billing)
      const otherShape = otherShapes[path]?.[method]?.responses["200"]
      const isConditional = [...middleware].some(({ key }) => key === ConditionalGet.key) || Context.get(annotations, Immutable)
      const entity = otherShape !== undefined || isConditional ? entityTagHeaders : undefined
      const responses = {
        ...answersOf(operation, errors, isMetered, { otherShape, entity }),
        ...(Context.get(annotations, FollowsSlugs) ? redirects(isMetered) : {}),
      }
      paths[path] = {
        ...paths[path],
        [method]: {
          operationId: operation.operationId,
          tags: operation.tags,
          summary: operation.summary ?? operation.operationId,
          description: `${operation.description ?? ""}\n\n${text}`,
          parameters: parametersOf(operation.parameters, endpoint.query),
          security: operation.security,
          ...(operation.requestBody === undefined ? {} : { requestBody: operation.requestBody }),
          responses,
          "x-metering": metering,
          ...announcementOf(annotations),
        },
      }
    },
  })
  const { schemas, securitySchemes } = generated.components
  return { paths, schemas, securitySchemes, tags: generated.tags, errors: statuses }
}

const announcementOf = (annotations: Context.Context<never>): Pick<Operation, "x-announced" | "x-status"> =>
  Option.match(Context.getOption(annotations, Announced), {
    onNone: () => ({}),
    onSome: ({ on }) => ({ "x-status": "announced", "x-announced": on }),
  })

const redirects = (metered: boolean): Readonly<Record<string, Answer>> => ({
  [FORMER_SLUG_STATUS]: {
    description:
      "The slug has passed on: `Location` is the same address with the current slug. Costs nothing; the answer there costs what it costs. Ids are never redirected",
    headers: headerRefs([...headersOf(FORMER_SLUG_STATUS, metered), "Location"]),
    content: { "application/json": { schema: Schema.toJsonSchemaDocument(FormerSlug).schema } },
  },
})

/** Status of responses whose result is not ready yet. */
const ACCEPTED = 202

const pathOf = (endpoint: HttpApiEndpoint.Top): string => endpoint.path.replaceAll(/:([A-Za-z0-9_]+)/g, "{$1}")

const answersOf = (
  { responses }: OpenApi.OpenAPISpecOperation,
  errors: ReadonlyMap<number, ReadonlyArray<Schema.Constraint>>,
  metered: boolean,
  { entity, otherShape }: { readonly otherShape: Answer | undefined; readonly entity: Parameters<typeof headerRefs>[0] | undefined },
): Readonly<Record<string, Answer>> => {
  const answers: Record<string, Answer> = {}
  for (const [text, { content, description }] of Object.entries(responses)) {
    const status = Number(text)
    const kinds = errors.get(status)
    const isEntity = status === 200 && entity !== undefined
    const headers = headerRefs([
      ...headersOf(status, metered),
      ...(isEntity ? entity : []),
      ...(status === ACCEPTED ? (["Location"] as const) : []),
    ])
    if (kinds !== undefined) answers[text] = { headers, ...errorAnswer(kinds) }
    else
      answers[text] = {
        description,
        headers,
        ...(content === undefined ? {} : { content: { ...content, ...(isEntity ? otherShape?.content : {}) } }),
      }
  }
  if (entity !== undefined) {
    const headers = headerRefs([...headersOf(304, metered), ...entity])
    answers["304"] = { description: "Not modified: `If-None-Match` contains the current `ETag`", headers }
  }
  return answers
}
