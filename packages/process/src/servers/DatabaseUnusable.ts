/** The database in DATABASE_URL cannot be used at startup. The message contains its address but never its password. */
import type { StoreError } from "@matchpoint/store/StoreError"
import { Redacted, Schema } from "effect"
import { isSqlError } from "effect/sql/SqlError"

export class DatabaseUnusable extends Schema.TaggedError<DatabaseUnusable>()("DatabaseUnusable", {
  message: Schema.String,
  cause: Schema.Defect(),
}) {
  static readonly of = (url: Redacted.Redacted<string>, error: StoreError): DatabaseUnusable =>
    new DatabaseUnusable({
      message: `DATABASE_URL: the PostgreSQL at ${withoutPassword(url)} cannot be used (${reasonOf(error)}); start it or correct DATABASE_URL`,
      cause: error,
    })
}

/** `host:port/database`, without credentials. */
const withoutPassword = (url: Redacted.Redacted<string>): string => {
  const address = URL.parse(Redacted.value(url))
  return address === null ? "its address" : `${address.hostname}:${address.port === "" ? "5432" : address.port}${address.pathname}`
}

const reasonOf = ({ cause }: StoreError): string => {
  let error: unknown = isSqlError(cause) ? cause.reason : cause
  while (error instanceof Error && error.cause instanceof Error) error = error.cause
  return error instanceof Error ? error.message : String(error)
}
