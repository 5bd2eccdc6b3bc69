/**
 * Decodes the results of statements that read the archive: `row` is a complete model as JSON, and `total` is the number
 * of rows on all pages together.
 */
import { Effect, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { Counter } from "./Counter.ts"

type Statement = Effect.Effect<ReadonlyArray<unknown>, SqlError>

/** Rows of a list also contain the values by which the list is sorted. */
interface Row<A> {
  readonly row: A
  readonly values?: ReadonlyArray<string | null>
}
type Decode<A> = (rows: unknown) => Effect.Effect<ReadonlyArray<Row<A>>, Schema.SchemaError>

/** One decoder per model, compiled on first use, because compiling it takes longer than a database query. */
const decoders = new WeakMap<Schema.Top, Decode<unknown>>()

export const decodeRows = <A, I>(model: Schema.Codec<A, I>): Decode<A> => {
  // This type assertion is safe: the decoder in the cache was created for this model.
  const known = decoders.get(model) as Decode<A> | undefined
  if (known !== undefined) return known
  const decode = Schema.decodeUnknownEffect(
    Schema.Array(Schema.Struct({ row: model, values: Schema.optionalKey(Schema.Array(Schema.NullOr(Schema.String))) })),
  )
  decoders.set(model, decode)
  return decode
}

/** The statement selects `<json of the model> AS row`. */
export const rowsOf =
  <A, I>(model: Schema.Codec<A, I>) =>
  (statement: Statement): Effect.Effect<ReadonlyArray<A>, SqlError | Schema.SchemaError> =>
    Effect.map(Effect.flatMap(statement, decodeRows(model)), (rows) => rows.map(({ row }) => row))

const decodeTotal = Schema.decodeUnknownEffect(Schema.NonEmptyArray(Schema.Struct({ total: Counter })))

/** The statement selects `count(*) AS total`. */
export const totalOf = (statement: Statement): Effect.Effect<number, SqlError | Schema.SchemaError> =>
  Effect.map(Effect.flatMap(statement, decodeTotal), ([{ total }]) => total)
