/** How statements of the archive are read: `row` holds a whole model in JSON, and `total` counts the rows of all pages. */
import { Effect, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { Counter } from "../Counter.ts"

type Statement = Effect.Effect<ReadonlyArray<unknown>, SqlError>

/** Of a statement that selects `<json of the model> AS row`. */
export const rowsOf = <A, I>(model: Schema.Codec<A, I>) => {
  const decode = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ row: model })))
  return (statement: Statement): Effect.Effect<ReadonlyArray<A>, SqlError | Schema.SchemaError> =>
    Effect.map(Effect.flatMap(statement, decode), (rows) => rows.map(({ row }) => row))
}

const decodeTotal = Schema.decodeUnknownEffect(Schema.NonEmptyArray(Schema.Struct({ total: Counter })))

/** Of a statement that selects `count(*) AS total`. */
export const totalOf = (statement: Statement): Effect.Effect<number, SqlError | Schema.SchemaError> =>
  Effect.map(Effect.flatMap(statement, decodeTotal), ([{ total }]) => total)
