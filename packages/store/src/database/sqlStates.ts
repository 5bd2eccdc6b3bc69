/**
 * Decides from the SQLSTATE whether a failed write is permanent: its content makes it fail on every attempt. Classes:
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
import { Schema } from "effect"
import { isSqlError } from "effect/sql/SqlError"

/**
 * SQLSTATE classes of permanent failures:
 * - 21: cardinality violations
 * - 22: data errors, such as a NUL character in a text or a number out of range
 * - 23: violated integrity constraints
 * - 44: violated check options
 * - 54: exceeded limits, such as a text too long for an index
 *
 * All other classes are transient, or must be fixed in the code or the installation: connection (08), transaction state
 * (25, 40), access and syntax (28, 42, for example after an incomplete deployment), resources (53), operator
 * intervention (57), system (58), configuration (F0), internal (XX).
 */
const permanentClasses: ReadonlySet<string> = new Set(["21", "22", "23", "44", "54"])

/** Undefined if the database did not report one. */
export const sqlStateOf = (cause: unknown): string | undefined => {
  if (!isSqlError(cause)) return undefined
  const { cause: told } = cause.reason
  const code = typeof told === "object" && told !== null && "code" in told ? told.code : undefined
  return typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) ? code : undefined
}

/** True if the write can never succeed: the database rejects its content, or the content does not match the row's schema. */
export const isPermanent = (cause: unknown): boolean =>
  Schema.isSchemaError(cause) || permanentClasses.has(sqlStateOf(cause)?.slice(0, 2) ?? "")
