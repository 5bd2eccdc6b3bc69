/**
 * A non-negative `bigint` column as a number. Drivers hand such a column over as a JavaScript bigint; our sequences and match
 * numbers stay below 2^53, and a value beyond that is refused instead of rounded.
 */
import { Schema, SchemaTransformation } from "effect"

export const Counter = Schema.BigInt.pipe(
  Schema.decodeTo(Schema.Natural, SchemaTransformation.transform({ decode: Number, encode: BigInt })),
)
