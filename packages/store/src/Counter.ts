/**
 * Decodes a non-negative `bigint` column, which drivers return as a JavaScript bigint, as a number. Sequence and match
 * numbers stay below 2^53. A larger value is rejected instead of rounded.
 */
import { Schema, SchemaTransformation } from "effect"

export const Counter = Schema.BigInt.pipe(
  Schema.decodeTo(Schema.Natural, SchemaTransformation.transform({ decode: Number, encode: BigInt })),
)
