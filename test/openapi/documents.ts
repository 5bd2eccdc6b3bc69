/**
 * Helpers that read an OpenAPI document of this project: its operations, its responses, and whether a value fits a
 * schema.
 */
import { Ajv, type ValidateFunction } from "ajv"

export interface JsonSchema {
  readonly $ref?: string
  readonly oneOf?: ReadonlyArray<JsonSchema>
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly items?: JsonSchema
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>
  readonly additionalProperties?: JsonSchema | boolean
  readonly enum?: ReadonlyArray<unknown>
  readonly properties?: Readonly<Record<string, JsonSchema>>
}

export interface Answer {
  readonly description: string
  readonly headers?: Readonly<Record<string, unknown>>
  readonly content?: Readonly<
    Record<string, { readonly schema: JsonSchema; readonly examples?: Readonly<Record<string, { readonly value: unknown }>> }>
  >
}

export interface Operation {
  readonly operationId: string
  readonly description: string
  readonly security: ReadonlyArray<Readonly<Record<string, ReadonlyArray<string>>>>
  readonly parameters: ReadonlyArray<{ readonly name: string }>
  readonly responses: Readonly<Record<string, Answer>>
  readonly "x-metering": { readonly requests: number; readonly everySeconds: number | null }
  readonly "x-status"?: string
  readonly "x-announced"?: string
}

export interface Document {
  readonly openapi: string
  /** Operations by path and method, in lower case. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
}

export const operationsOf = (document: Document) =>
  Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ path, method, operation })),
  )

export const answersOf = (document: Document) =>
  operationsOf(document).flatMap(({ path, operation }) =>
    Object.entries(operation.responses).map(([status, answer]) => ({ path, status: Number(status), answer })),
  )

/** Returns a function that checks whether a value fits a schema. The schema may refer to the document's components. */
export const fitsOf = ({ components }: Document) => {
  const ajv = new Ajv({ strict: false, validateFormats: false })
  const compiled = new Map<string, ValidateFunction>()
  return (schema: JsonSchema, value: unknown): boolean => {
    const text = JSON.stringify(schema)
    const validate = compiled.get(text) ?? ajv.compile({ ...schema, components })
    compiled.set(text, validate)
    return validate(value)
  }
}

/**
 * Returns a served document with its responses, parameters and examples in the places that refer to them. Schemas stay
 * components.
 */
export const withoutReferences = (served: { readonly components: object; readonly security?: unknown }): Document => {
  const put = (part: unknown): unknown => {
    if (typeof part !== "object" || part === null) return part
    if (Array.isArray(part)) return part.map(put)
    const [, kind = "", name = ""] = /^#\/components\/(parameters|responses|examples)\/(.+)$/.exec(String(Object(part).$ref)) ?? []
    if (kind !== "") return put(Object(served.components)[kind][name])
    const { responses, ...rest } = Object(part)
    const withSecurity = responses === undefined || "security" in rest ? rest : { ...rest, security: served.security }
    const inner = responses === undefined ? rest : { ...withSecurity, responses }
    return Object.fromEntries(Object.entries(inner).map(([key, value]) => [key, key === "components" ? value : put(value)]))
  }
  return Object(put(served))
}
