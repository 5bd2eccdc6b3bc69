/** Reads the names of fields, and the schemas of ids, from JSON schemas. */

export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string | ReadonlyArray<string>
  readonly items?: JsonSchema
  readonly prefixItems?: ReadonlyArray<JsonSchema>
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly oneOf?: ReadonlyArray<JsonSchema>
  readonly allOf?: ReadonlyArray<JsonSchema>
  readonly additionalProperties?: JsonSchema | boolean
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>
  readonly properties?: Readonly<Record<string, JsonSchema>>
}

/** Adds the fields of a schema, at any depth, by name. `resolve` returns the schema that a reference points to. */
export const addFields = (
  schema: JsonSchema,
  resolve: (reference: string) => JsonSchema,
  fields: Map<string, Array<JsonSchema>>,
  seen = new Set<string>(),
): void => {
  if (schema.$ref !== undefined) {
    if (seen.has(schema.$ref)) return
    seen.add(schema.$ref)
    addFields(resolve(schema.$ref), resolve, fields, seen)
  }
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    fields.set(name, [...(fields.get(name) ?? []), field])
    addFields(field, resolve, fields, seen)
  }
  for (const inner of innerSchemas(schema)) addFields(inner, resolve, fields, seen)
}

/** Types of the values of a field, without null. Those of a list are the types of its items. */
export const typesOf = (schema: JsonSchema, resolve: (reference: string) => JsonSchema): ReadonlyArray<string> => {
  if (schema.$ref !== undefined) return typesOf(resolve(schema.$ref), resolve)
  const alternatives = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]
  if (alternatives.length > 0) return alternatives.flatMap((one) => typesOf(one, resolve))
  if (schema.type === "array" && schema.items !== undefined) return typesOf(schema.items, resolve)
  return [schema.type ?? []].flat().filter((type) => type !== "null")
}

const innerSchemas = ({ additionalProperties, allOf, anyOf, items, oneOf, patternProperties, prefixItems }: JsonSchema) => [
  ...(items === undefined ? [] : [items]),
  ...(typeof additionalProperties === "object" ? [additionalProperties] : []),
  ...Object.values(patternProperties ?? {}),
  ...[allOf, anyOf, oneOf, prefixItems].flatMap((schemas) => schemas ?? []),
]
