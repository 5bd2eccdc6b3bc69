/** JSON Schemas as markup: a type in one line, and an object as a list of its fields. */
import { inlineMarkdown, type Markup, markup } from "./markup.ts"

/** Parts of a schema that the reference reads. */
export interface SchemaPart {
  readonly $ref?: string
  readonly type?: string | ReadonlyArray<string>
  readonly description?: string
  readonly format?: string
  readonly pattern?: string
  readonly enum?: ReadonlyArray<unknown>
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly maxItems?: number
  readonly anyOf?: ReadonlyArray<SchemaPart>
  readonly oneOf?: ReadonlyArray<SchemaPart>
  readonly items?: SchemaPart | false
  readonly properties?: Readonly<Record<string, SchemaPart>>
  readonly required?: ReadonlyArray<string>
  readonly patternProperties?: Readonly<Record<string, SchemaPart>>
  readonly additionalProperties?: SchemaPart | boolean
}

export const modelId = (name: string): string => `model-${name}`

/** A type in one line, with links to models. Fields of objects without a name follow in a list. */
export const schemaMarkup = (schema: SchemaPart): Markup =>
  markup`<span class="type">${typeOf(schema)}</span>${boundsOf(schema)}${fieldsIn(schema)}`

export const fieldList = ({ properties = {}, required = [] }: SchemaPart): Markup =>
  markup`<dl class="fields">${Object.entries(properties).map(
    ([name, field]) =>
      markup`<dt><code>${name}</code>${required.includes(name) ? "" : markup` <span class="optional">optional</span>`} ${schemaLine(field)}</dt><dd>${
        field.description === undefined ? undefined : inlineMarkdown(field.description)
      }${fieldsIn(field)}</dd>`,
  )}</dl>`

const schemaLine = (schema: SchemaPart): Markup => markup`<span class="type">${typeOf(schema)}</span>${boundsOf(schema)}`

const typeOf = (schema: SchemaPart): Markup => {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split("/").at(-1) ?? ""
    return markup`<a href="#${modelId(name)}">${name}</a>`
  }
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return joined(choices.map(typeOf), " or ")
  if (schema.enum !== undefined)
    return joined(
      schema.enum.map((value) => markup`<code>${JSON.stringify(value)}</code>`),
      " | ",
    )
  if (schema.type === "array") return markup`list of ${schema.items ? typeOf(schema.items) : "values"}`
  const valuesOf = recordValues(schema)
  if (valuesOf.length > 0) return markup`object, by key: ${joined(valuesOf.map(typeOf), " or ")}`
  const types = schema.type === undefined ? ["any value"] : [schema.type].flat()
  return markup`${types.join(" or ")}${schema.format === undefined ? "" : ` (${schema.format})`}`
}

const boundsOf = ({ maximum, maxItems, maxLength, minimum, minLength, pattern }: SchemaPart): Markup => {
  const bounds = [
    ...(minimum === undefined ? [] : [`at least ${minimum}`]),
    ...(maximum === undefined ? [] : [`at most ${maximum}`]),
    ...(minLength === undefined ? [] : [`at least ${minLength} characters`]),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(maxItems === undefined ? [] : [`at most ${maxItems} entries`]),
  ]
  const text = bounds.length === 0 ? undefined : markup` <span class="bounds">${bounds.join(", ")}</span>`
  return markup`${text}${pattern === undefined ? undefined : markup` <code class="pattern">${pattern}</code>`}`
}

/** Lists the fields of objects without a name, at any depth of lists and choices. */
const fieldsIn = (schema: SchemaPart): Markup | undefined => {
  if (schema.properties !== undefined) return fieldList(schema)
  const inner = [...(schema.anyOf ?? schema.oneOf ?? []), ...(schema.items ? [schema.items] : []), ...recordValues(schema)]
  const lists = inner.flatMap((part) => fieldsIn(part) ?? [])
  return lists.length === 0 ? undefined : markup`${lists}`
}

const recordValues = ({ additionalProperties, patternProperties }: SchemaPart): ReadonlyArray<SchemaPart> => [
  ...Object.values(patternProperties ?? {}),
  ...(typeof additionalProperties === "object" ? [additionalProperties] : []),
]

const joined = (parts: ReadonlyArray<Markup>, separator: string): Markup =>
  markup`${parts.map((part, index) => (index === 0 ? part : markup`${separator}${part}`))}`
