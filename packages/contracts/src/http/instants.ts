/** Times in queries: ISO 8601, in UTC if they have no zone. */
import { Schema } from "effect"

const ISO_8601 = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}([.,]\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/

/** Returns epoch milliseconds, or NaN if the text is not a time. */
export const readInstant = (text: string): number => {
  const zone = ISO_8601.exec(text)
  if (zone === null || !isDay(text.slice(0, 10))) return Number.NaN
  return Date.parse(zone[1] === undefined || zone[4] !== undefined ? text : `${text}Z`)
}

/**
 * Returns false for dates that do not exist: `Date.parse` reads `2026-02-30` as the second of March. Also false for the
 * year 0, which PostgreSQL does not have.
 */
const isDay = (day: string): boolean => {
  const at = Date.parse(day)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day) && !day.startsWith("0000")
}

const isInstant = Schema.makeFilter((text: string) =>
  Number.isNaN(readInstant(text)) ? "expected an ISO 8601 UTC time such as 2026-01-31T12:00:00Z" : undefined,
)

export const Instant = Schema.String.check(isInstant)

/**
 * Returns an `Instant` with a description. The annotation comes before the check: after it, the OpenAPI document would
 * not show the description.
 */
export const instantOf = (description: string) => Schema.String.annotate({ description }).check(isInstant)
