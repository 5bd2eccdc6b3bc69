/**
 * Decodes a non-negative `bigint` column as a number. Drivers return such a column as a JavaScript bigint. Sequences
 * and match numbers stay below 2^53; a larger value is rejected instead of rounded.
 */
import { Schema, SchemaTransformation } from "effect"

export const Counter = Schema.BigInt.pipe(
  Schema.decodeTo(Schema.Natural, SchemaTransformation.transform({ decode: Number, encode: BigInt })),
)
