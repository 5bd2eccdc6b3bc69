/** Reads the sums of players from JSON arrays of numbers. */
import { type PlayerSums, type SumField, sumFields } from "@matchpoint/domain/cod/analytics/playerSums"
import { Effect, Schema } from "effect"

/** Sums as an array in the order of `sumFields`. Arrays are faster to decode than objects with 29 fields. */
export const SumArray = Schema.Array(Schema.Finite)

export const sumsOf = (values: ReadonlyArray<number>): PlayerSums =>
  Object.fromEntries(sumFields.map((field, index) => [field, values[index] ?? 0])) as Record<SumField, number>

const decodeRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ playerId: Schema.String, sums: SumArray })))

/** Decodes rows `playerId`, `sums`. */
export const decodePlayerSums = (rows: unknown): Effect.Effect<ReadonlyMap<string, PlayerSums>, Schema.SchemaError> =>
  Effect.map(decodeRows(rows), (decoded) => new Map(decoded.map(({ playerId, sums }) => [playerId, sumsOf(sums)])))
