/** How statements of the archive are read: `row` holds a whole model in JSON, and `total` counts the rows of all pages. */
import { Effect, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { Counter } from "./Counter.ts"

type Statement = Effect.Effect<ReadonlyArray<unknown>, SqlError>

/** Of one row: of a list also what it is sorted by. */
interface Row<A> {
  readonly row: A
  readonly values?: ReadonlyArray<string | null>
}
type Decode<A> = (rows: unknown) => Effect.Effect<ReadonlyArray<Row<A>>, Schema.SchemaError>

/** By model. What decodes is compiled when it is first used, and that takes longer than the answer; so it is made once. */
const decoders = new WeakMap<Schema.Top, Decode<unknown>>()

export const decodeRows = <A, I>(model: Schema.Codec<A, I>): Decode<A> => {
  // Kept for this very model, so its type is known.
  const known = decoders.get(model) as Decode<A> | undefined
  if (known !== undefined) return known
  const decode = Schema.decodeUnknownEffect(
    Schema.Array(Schema.Struct({ row: model, values: Schema.optionalKey(Schema.Array(Schema.NullOr(Schema.String))) })),
  )
  decoders.set(model, decode)
  return decode
}

/** Of a statement that selects `<json of the model> AS row`. */
export const rowsOf =
  <A, I>(model: Schema.Codec<A, I>) =>
  (statement: Statement): Effect.Effect<ReadonlyArray<A>, SqlError | Schema.SchemaError> =>
    Effect.map(Effect.flatMap(statement, decodeRows(model)), (rows) => rows.map(({ row }) => row))

const decodeTotal = Schema.decodeUnknownEffect(Schema.NonEmptyArray(Schema.Struct({ total: Counter })))

/** Of a statement that selects `count(*) AS total`. */
export const totalOf = (statement: Statement): Effect.Effect<number, SqlError | Schema.SchemaError> =>
  Effect.map(Effect.flatMap(statement, decodeTotal), ([{ total }]) => total)
