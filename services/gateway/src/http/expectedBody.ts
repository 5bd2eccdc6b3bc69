import { Schema } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"

/**
 * Text such as `a JSON object with since, or with match_id, epoch, seq`. Undefined for other bodies. Optional fields
 * are left out, unless all are optional.
 */
export const bodyFieldsOf = (payload: HttpApiEndpoint.PayloadMap): string | undefined => {
  const [schema] = payload.get("application/json")?.schemas ?? []
  if (schema === undefined || !Schema.isSchema(schema)) return undefined
  const known = made.get(schema)
  if (known !== undefined) return known
  const { definitions, schema: body } = readDocument(Schema.toJsonSchemaDocument(schema))
  const resolved = (part: Part): Part => (part.$ref === undefined ? part : (definitions[part.$ref.split("/").at(-1) ?? ""] ?? part))
  const variants = (resolved(body).anyOf ?? [body]).map(resolved).map(({ properties = {}, required = [] }) => {
    const names = required.length > 0 ? required : Object.keys(properties)
    return names.join(", ")
  })
  if (variants.some((names) => names === "")) return undefined
  const text = `a JSON object with ${variants.join(", or with ")}`
  made.set(schema, text)
  return text
}

/** Texts by schema, because making one takes a millisecond. */
const made = new WeakMap<object, string>()

interface Part {
  readonly $ref?: string
  readonly anyOf?: ReadonlyArray<Part>
  readonly properties?: Readonly<Record<string, unknown>>
  readonly required?: ReadonlyArray<string>
}

const Part: Schema.Codec<Part> = Schema.Struct({
  $ref: Schema.optionalKey(Schema.String),
  anyOf: Schema.optionalKey(Schema.Array(Schema.suspend((): Schema.Codec<Part> => Part))),
  properties: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
  required: Schema.optionalKey(Schema.Array(Schema.String)),
})

const readDocument = Schema.decodeUnknownSync(Schema.Struct({ schema: Part, definitions: Schema.Record(Schema.String, Part) }))
