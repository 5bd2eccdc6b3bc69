/**
 * Decodes results of archive statements. The column `row` holds a whole model in JSON; `total` counts the rows of all
 * pages.
 */
import { Effect, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { Counter } from "./Counter.ts"

type Statement = Effect.Effect<ReadonlyArray<unknown>, SqlError>

/** A result row. In lists it also holds the sort values. */
interface Row<A> {
  readonly row: A
  readonly values?: ReadonlyArray<string | null>
}
type Decode<A> = (rows: unknown) => Effect.Effect<ReadonlyArray<Row<A>>, Schema.SchemaError>

/** Decoders by model. A decoder is compiled on first use, which takes longer than a query, so each is made once. */
const decoders = new WeakMap<Schema.Top, Decode<unknown>>()

export const decodeRows = <A, I>(model: Schema.Codec<A, I>): Decode<A> => {
  // The decoder was stored under this model, so its type is known.
  const known = decoders.get(model) as Decode<A> | undefined
  if (known !== undefined) return known
  const decode = Schema.decodeUnknownEffect(
    Schema.Array(Schema.Struct({ row: model, values: Schema.optionalKey(Schema.Array(Schema.NullOr(Schema.String))) })),
  )
  decoders.set(model, decode)
  return decode
}

/** Runs a statement that selects `<json of the model> AS row` and returns the decoded models. */
export const rowsOf =
  <A, I>(model: Schema.Codec<A, I>) =>
  (statement: Statement): Effect.Effect<ReadonlyArray<A>, SqlError | Schema.SchemaError> =>
    Effect.map(Effect.flatMap(statement, decodeRows(model)), (rows) => rows.map(({ row }) => row))

const decodeTotal = Schema.decodeUnknownEffect(Schema.NonEmptyArray(Schema.Struct({ total: Counter })))

/** Runs a statement that selects `count(*) AS total` and returns the total. */
export const totalOf = (statement: Statement): Effect.Effect<number, SqlError | Schema.SchemaError> =>
  Effect.map(Effect.flatMap(statement, decodeTotal), ([{ total }]) => total)
