/**
 * Which failures of a write come back however often it is tried, because they follow from what is written. Decided here for every caller.
 * SQLSTATE classes: https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
import { Schema } from "effect"
import { isSqlError } from "effect/sql/SqlError"

/**
 * 21 cardinality, 22 data (NUL in a text, a number out of range), 23 integrity constraints, 44 check option, 54 limits (a text too long for
 * an index). Not among them, so transient or ours to mend: connection (08), transaction state (25, 40), access and syntax (28, 42, as after a
 * half-done deployment), resources (53), operator intervention (57), system (58), configuration (F0), internal (XX).
 */
const permanentClasses: ReadonlySet<string> = new Set(["21", "22", "23", "44", "54"])

/** The five characters of the SQLSTATE behind a failure, or undefined if the database did not name one. */
export const sqlStateOf = (cause: unknown): string | undefined => {
  if (!isSqlError(cause)) return undefined
  const { cause: told } = cause.reason
  const code = typeof told === "object" && told !== null && "code" in told ? told.code : undefined
  return typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) ? code : undefined
}

/** True if the same write cannot succeed: the database refuses its content, or it does not fit the row's schema. */
export const isPermanent = (cause: unknown): boolean =>
  Schema.isSchemaError(cause) || permanentClasses.has(sqlStateOf(cause)?.slice(0, 2) ?? "")
