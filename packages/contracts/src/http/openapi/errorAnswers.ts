/**
 * Error responses in OpenAPI. A status lists all its errors. Each error has two schemas: a JSON envelope, which the
 * contract contains, and problem details (RFC 9457), which are derived from it.
 */
import { type JsonSchema, Schema, SchemaAST } from "effect"
import { PROBLEM_CONTENT_TYPE, Problem, problemOf } from "../problem.ts"
import { type Answer, type MediaType, schemaRef } from "./Document.ts"
import { exampleOf, isCoded } from "./errorExamples.ts"

/** Schema name of an error as a JSON envelope. */
export const errorName = (error: Schema.Constraint): string => SchemaAST.resolveIdentifier(error.ast) ?? "Error"

export const problemName = (error: string): string => `${error}Problem`

export const errorAnswer = (errors: ReadonlyArray<Schema.Constraint>): Pick<Answer, "description" | "content"> => {
  const names = errors.map(errorName)
  const json = mediaType(names.map((name) => ({ schema: name, name, example: exampleOf(name) })))
  const problems = names.flatMap((name) => {
    const envelope = exampleOf(name)
    return envelope !== undefined && !isCoded(envelope)
      ? []
      : [{ schema: problemName(name), name, example: envelope && problemOf(envelope, EXAMPLE_REQUEST) }]
  })
  return {
    description: errors.map((error) => `${SchemaAST.resolveDescription(error.ast) ?? errorName(error)}.`).join(" Or: "),
    content: { "application/json": json, ...(problems.length === 0 ? {} : { [PROBLEM_CONTENT_TYPE]: mediaType(problems) }) },
  }
}

/**
 * Derived from the envelope, with the same code and details. The problem type and the HTTP status are restricted to
 * those of the code. Undefined for errors without a code, which have no problem details.
 */
export const problemSchema = (envelope: JsonSchema.JsonSchema, status: number): JsonSchema.JsonSchema | undefined => {
  if (hasMessageOnly(envelope)) return undefined
  const { properties, required } = readEnvelope(envelope).properties.error
  const [code = ""] = properties.code.enum
  const { type, title, status: _, detail, instance } = problem.properties
  return {
    type: "object",
    properties: {
      type: { ...type, enum: [`urn:matchpoint:error:${code}`] },
      title,
      status: { type: "integer", enum: [status], description: "HTTP status code" },
      detail,
      instance,
      code: properties.code,
      details: properties.details,
    },
    required: [...problem.required, ...required.filter((name) => name === "details")],
    additionalProperties: false,
  }
}

const EXAMPLE_REQUEST = "b7d1e09a4c-2f"

interface Kind {
  readonly name: string
  readonly schema: string
  readonly example: unknown
}

/** `oneOf` is valid because no body matches two errors: they differ in the code or in the `limit` of the details. */
const mediaType = (kinds: ReadonlyArray<Kind>): MediaType => {
  const references = kinds.map(({ schema }) => schemaRef(schema))
  const examples = kinds.flatMap(({ name, example }) => (example === undefined ? [] : [[name, { value: example }] as const]))
  return { schema: references.length === 1 ? { ...references[0] } : { oneOf: references }, examples: Object.fromEntries(examples) }
}

const hasMessageOnly = Schema.is(Schema.Struct({ properties: Schema.Struct({ error: Schema.Struct({ type: Schema.Literal("string") }) }) }))

const AnySchema = Schema.Record(Schema.String, Schema.Unknown)

const readEnvelope = Schema.decodeUnknownSync(
  Schema.Struct({
    properties: Schema.Struct({
      error: Schema.Struct({
        properties: Schema.Struct({
          code: Schema.Struct({ type: Schema.Literal("string"), enum: Schema.Array(Schema.String) }),
          details: AnySchema,
        }),
        required: Schema.Array(Schema.String),
      }),
    }),
  }),
)

const problem = Schema.decodeUnknownSync(
  Schema.Struct({ properties: Schema.Record(Schema.String, AnySchema), required: Schema.Array(Schema.String) }),
)(Schema.toJsonSchemaDocument(Problem).schema)
