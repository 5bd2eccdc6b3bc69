/** The parts of an OpenAPI 3.1 document that `publicDocument.ts` generates. */
import type { JsonSchema } from "effect"
import type { OpenApi } from "effect/http-api"

export interface Reference {
  readonly $ref: string
}

export interface Example {
  readonly summary?: string
  readonly value: unknown
}

export interface MediaType {
  readonly schema: JsonSchema.JsonSchema
  readonly examples?: Readonly<Record<string, Example>>
}

export type Content = Readonly<Record<string, MediaType>>

export interface Header {
  readonly description: string
  readonly schema: JsonSchema.JsonSchema
  readonly example?: unknown
}

export interface Answer {
  readonly description: string
  readonly headers?: Readonly<Record<string, Reference>>
  readonly content?: Content
}

export interface Parameter {
  readonly name: string
  readonly in: OpenApi.OpenAPISpecParameter["in"]
  readonly required: boolean
  readonly description: string
  /** Lists only. `style: form` with `explode: false`: one parameter with values separated by commas. */
  readonly style?: "form"
  readonly explode?: boolean
  readonly schema: JsonSchema.JsonSchema
}

export interface Operation {
  readonly operationId: string
  readonly tags: ReadonlyArray<string>
  readonly summary: string
  readonly description: string
  readonly parameters: ReadonlyArray<Parameter>
  readonly security: ReadonlyArray<OpenApi.OpenAPISecurityRequirement>
  readonly requestBody?: OpenApi.OpenAPISpecRequestBody
  /** Responses by HTTP status. */
  readonly responses: Readonly<Record<string, Answer>>
  readonly "x-metering": unknown
  /** Set for endpoints that answer 501 so far; `x-announced` is an ISO 8601 date. */
  readonly "x-status"?: "announced"
  readonly "x-announced"?: string
}

/** Operations by path, then by HTTP method in lower case. */
export type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>

export type Schemas = Readonly<Record<string, JsonSchema.JsonSchema>>

export const schemaRef = (name: string): Reference => ({ $ref: `#/components/schemas/${name}` })
