/**
 * Ids from requests as parameters of the type of their column, so that comparisons use its index. Text that is no id,
 * which the database would reject, becomes null, which equals nothing.
 */
import { Schema } from "effect"

const isUuid = Schema.is(Schema.String.check(Schema.isUUID()))
/** Ids of a bigint column that a client can have received. */
const NUMBER = /^[1-9]\d{0,17}$/

/** Parameter for `column = ${uuidParameter(id)}::uuid`. */
export const uuidParameter = (id: string): string | null => (isUuid(id) ? id : null)

/** Parameter for `column = ${numberParameter(id)}::bigint`. */
export const numberParameter = (id: string): string | null => (NUMBER.test(id) ? id : null)
