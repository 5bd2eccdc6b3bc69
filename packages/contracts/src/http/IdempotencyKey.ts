/** The header `Idempotency-Key`, with which clients repeat a request safely. */
import { Schema } from "effect"

export const IdempotencyKey = Schema.String.check(Schema.isPattern(/^[\x21-\x7e]{1,255}$/))
