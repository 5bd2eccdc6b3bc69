import { Effect, Schema } from "effect"
import { noSums, type PlayerSums, type SumField } from "../../rules/analytics/playerSums.ts"

/** Arrays are faster to decode than objects. */
export const SumArray = Schema.Array(Schema.Finite)

/** `values` are in the order of the fields. The other sums are 0. */
export const sumsOf = (fields: ReadonlyArray<SumField>, values: ReadonlyArray<number>): PlayerSums => ({
  ...noSums,
  ...Object.fromEntries(fields.map((field, index) => [field, values[index] ?? 0])),
})

const decodeRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ playerId: Schema.String, sums: SumArray })))

/** Decodes rows `playerId`, `sums`. */
export const decodePlayerSums =
  (fields: ReadonlyArray<SumField>) =>
  (rows: unknown): Effect.Effect<ReadonlyMap<string, PlayerSums>, Schema.SchemaError> =>
    Effect.map(decodeRows(rows), (decoded) => new Map(decoded.map(({ playerId, sums }) => [playerId, sumsOf(fields, sums)])))
