/** Describes in words the value that a parameter of a path or query expects, from the contract. */
import { knownDescription } from "@matchpoint/contracts/http/openapi/parameters"
import { Schema, SchemaIssue } from "effect"

export interface WrongParameter {
  readonly parameter: string
  readonly expected: string
}

/** The first wrong parameter of `schema`. Undefined if the error names none. */
export const expectedOf = (error: Schema.SchemaError, schema: Schema.Top | undefined): WrongParameter | undefined => {
  if (schema === undefined) return undefined
  const [issue] = standardIssues(error.issue).issues
  const [name] = issue?.path ?? []
  if (issue === undefined || typeof name !== "string") return undefined
  const { description = knownDescription(name), maximum, minimum, type } = propertiesOf(schema)[name] ?? {}
  if (issue.message === "Missing key") return { parameter: name, expected: `a value: ${description ?? "the parameter is required"}` }
  if (type === "integer") return { parameter: name, expected: `a whole number${boundsOf(minimum, maximum)}` }
  // Users of the API get words instead of a regular expression.
  const isPattern = issue.message.includes("RegExp")
  const told = issue.message.replace(/^expected /i, "")
  return { parameter: name, expected: (isPattern ? (description ?? "another form of text") : told).slice(0, MAX_LENGTH) }
}

const MAX_LENGTH = 1_000

const standardIssues = SchemaIssue.makeFormatterStandardSchemaV1()

const boundsOf = (minimum: number | undefined, maximum: number | undefined): string =>
  maximum === undefined || maximum === Number.MAX_SAFE_INTEGER
    ? minimum === undefined
      ? ""
      : `, at least ${minimum}`
    : ` from ${minimum ?? 0} to ${maximum}`

const Property = Schema.Struct({
  type: Schema.optionalKey(Schema.Unknown),
  description: Schema.optionalKey(Schema.String),
  minimum: Schema.optionalKey(Schema.Finite),
  maximum: Schema.optionalKey(Schema.Finite),
})
type Properties = Readonly<Record<string, typeof Property.Type>>

const readProperties = Schema.decodeUnknownSync(Schema.Struct({ properties: Schema.Record(Schema.String, Property) }))

/** Properties by schema, because making them takes a millisecond. */
const made = new WeakMap<Schema.Top, Properties>()

const propertiesOf = (schema: Schema.Top): Properties => {
  const known = made.get(schema)
  if (known !== undefined) return known
  const { properties } = readProperties(Schema.toJsonSchemaDocument(Schema.toType(schema)).schema)
  made.set(schema, properties)
  return properties
}
