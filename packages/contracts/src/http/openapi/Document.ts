/**
 * Types of those parts of an OpenAPI 3.1 document that this service generates. `publicDocument.ts` generates the
 * document from the contract.
 */
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
  /**
   * Set only for parameters that are lists. `style: form` with `explode: false` means that the list is a single
   * parameter whose values are separated by commas.
   */
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
  /** Set for endpoints that answer 501 so far; `x-announced` is the date of the announcement, ISO 8601. */
  readonly "x-status"?: "announced"
  readonly "x-announced"?: string
}

/** OpenAPI operations, keyed by path and then by HTTP method in lower case. */
export type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>

export type Schemas = Readonly<Record<string, JsonSchema.JsonSchema>>

export const schemaRef = (name: string): Reference => ({ $ref: `#/components/schemas/${name}` })
