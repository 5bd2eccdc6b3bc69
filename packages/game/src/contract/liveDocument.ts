/**
 * Derives message format v2 of a live document from the schema of format v1: the schema, the key order, and the
 * conversion back to v1. In v2, a field without a value is absent instead of null. Keyed lists are objects, so that a
 * delta contains only the items that change. Fields of v1 must not be optional.
 */
import type { LiveState } from "@matchpoint/contracts/game/LiveContract"
import type { JsonObject, Layout } from "@matchpoint/contracts/stream/compact/mergePatch"
import { Schema } from "effect"
import type { CompactOf, KeyedLists } from "./CompactOf.ts"

export interface LiveDocumentOptions<Full, Time extends keyof Full, Lists extends KeyedLists> {
  /** Field with the time of the change. Format v2 leaves it out, because the messages have it. */
  readonly time: Time & string
  readonly lists: Lists
  /** Fields that come first in format v2. They and the others are in the order of the schema. */
  readonly first?: ReadonlyArray<keyof Full & string>
  /** Fields that come last in format v1, by the path of their object. */
  readonly last?: Last
}

type Last = Readonly<Record<string, ReadonlyArray<string>>>

export interface LiveDocument<Full, Compact extends JsonObject> {
  readonly compact: Schema.Codec<Compact>
  readonly layout: Layout
  readonly fullOf: (state: LiveState<Compact>) => Full
}

export const liveDocument = <
  Fields extends Schema.Struct.Fields,
  Time extends keyof Schema.Struct.Type<Fields>,
  const Lists extends KeyedLists,
>(
  full: Schema.Struct<Fields>,
  { first = [], last = {}, lists, time }: LiveDocumentOptions<Schema.Struct.Type<Fields>, Time, Lists>,
): LiveDocument<Schema.Struct.Type<Fields>, CompactOf<Schema.Struct.Type<Fields>, Lists, "", Time>> => {
  type Full = Schema.Struct.Type<Fields>
  type Compact = CompactOf<Full, Lists, "", Time>
  const { layout, schema, toFull } = structPart(full, "", { lists, last }, time, first)
  return {
    // The type checker cannot follow a schema derived at run time. `CompactOf` has the same rules.
    compact: schema as Schema.Codec<Compact>,
    layout,
    fullOf: ({ document, observedAt }) => toFull(document, observedAt) as Full,
  }
}

interface Part {
  /** If both formats are the same: the schema of format v1 itself, with its annotations. */
  readonly schema: Schema.Constraint
  readonly layout?: Layout
  /** Undefined if both formats are the same. */
  toFull?(part: unknown): unknown
}

interface StructPart extends Part {
  readonly layout: Layout
  /** `left` is the value of the field that format v2 leaves out. */
  toFull(part: JsonObject, left?: unknown): JsonObject
}

interface Options {
  readonly lists: KeyedLists
  readonly last: Last
}

const partOf = (schema: Schema.Constraint, path: string, options: Options): Part => {
  if (isStruct(schema)) {
    const part = structPart(schema, path, options)
    return part.schema === schema ? { schema, layout: part.layout } : part
  }
  if (!isArray(schema)) return { schema }
  const key = options.lists[path]
  if (key !== undefined && isStruct(schema.value)) return keyedPart(schema.value, path, options, key)
  const { schema: item, toFull } = partOf(schema.value, path, options)
  if (toFull === undefined) return { schema }
  return { schema: Schema.Array(item), toFull: (items: ReadonlyArray<unknown>) => items.map((one) => toFull(one)) }
}

const keyedPart = (item: Struct, path: string, options: Options, key: string): Part => {
  const { layout, schema, toFull } = structPart(item, path, options, key)
  const id = item.fields[key]
  if (id === undefined) throw new Error(`the items of ${path} have no field ${key}`)
  const isText = isString(id)
  return {
    schema: Schema.Record(isText ? id : Schema.String, schema),
    layout: { each: layout },
    toFull: (items: Readonly<Record<string, JsonObject>>) =>
      Object.entries(items).map(([text, one]) => toFull(one, isText ? text : Number(text))),
  }
}

/** `left` is a field that format v2 leaves out, and `first` the fields that come first in it. */
const structPart = (struct: Struct, path: string, options: Options, left?: string, first: ReadonlyArray<string> = []): StructPart => {
  const fields = Object.entries(struct.fields).map(([name, field]): Field => {
    const isNullable = isNullOr(field)
    return { name, isNullable, part: partOf(isNullable ? field.members[0] : field, path === "" ? name : `${path}.${name}`, options) }
  })
  const compact = inOrder(
    fields.filter(({ name }) => name !== left),
    (name) => !first.includes(name),
  )
  const full = inOrder(fields, (name) => options.last[path]?.includes(name) ?? false)
  const isSame = left === undefined && fields.every(({ isNullable, part }) => !isNullable && part.toFull === undefined)
  return {
    schema: isSame ? struct : Schema.Struct(Object.fromEntries(compact.map(compactField))),
    layout: {
      keys: compact.map(({ name }) => name),
      fields: Object.fromEntries(compact.flatMap(({ name, part }) => (part.layout === undefined ? [] : [[name, part.layout] as const]))),
    },
    toFull: (document, leftValue) => {
      const converted: Record<string, unknown> = {}
      for (const { name, part } of full) {
        const value = name === left ? leftValue : document[name]
        converted[name] = value === undefined ? null : part.toFull === undefined ? value : part.toFull(value)
      }
      return converted
    },
  }
}

interface Field {
  readonly name: string
  readonly isNullable: boolean
  readonly part: Part
}

const compactField = ({ isNullable, name, part: { schema } }: Field) => [name, isNullable ? Schema.optionalKey(schema) : schema] as const

const inOrder = (fields: ReadonlyArray<Field>, isLast: (name: string) => boolean): ReadonlyArray<Field> =>
  fields.toSorted((one, other) => Number(isLast(one.name)) - Number(isLast(other.name)))

type Struct = Schema.Struct<Schema.Struct.Fields>

const isStruct = (schema: Schema.Constraint): schema is Struct => "fields" in schema
const isArray = (schema: Schema.Constraint): schema is Schema.$Array<Schema.Constraint> => schema.ast._tag === "Arrays" && "value" in schema
const isString = (schema: Schema.Constraint): schema is Schema.Record.Key => schema.ast._tag === "String"
const isNullOr = (schema: Schema.Constraint): schema is Schema.NullOr<Schema.Constraint> =>
  schema.ast._tag === "Union" && schema.ast.types.length === 2 && schema.ast.types[1]?._tag === "Null" && "members" in schema
