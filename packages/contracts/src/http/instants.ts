/** Times in query parameters: ISO 8601, in UTC unless they include an offset. */
import { Schema } from "effect"

const ISO_8601 = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}([.,]\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/

/** Epoch milliseconds, or NaN. */
export const readInstant = (text: string): number => {
  const zone = ISO_8601.exec(text)
  if (zone === null || !isDay(text.slice(0, 10))) return Number.NaN
  return Date.parse(zone[1] === undefined || zone[4] !== undefined ? text : `${text}Z`)
}

const DAY_MS = 86_400_000

/** Epoch milliseconds, inclusive: the time itself, or the last millisecond of a day without a time. */
export const readRangeEnd = (text: string): number => readInstant(text) + (text.includes("T") ? 0 : DAY_MS - 1)

/** `Date.parse` accepts `2026-02-30` as March 2. The year 0 is rejected because PostgreSQL does not support it. */
const isDay = (day: string): boolean => {
  const at = Date.parse(day)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day) && !day.startsWith("0000")
}

const isInstant = Schema.makeFilter((text: string) =>
  Number.isNaN(readInstant(text)) ? "expected an ISO 8601 UTC time such as 2026-01-31T12:00:00Z" : undefined,
)

export const Instant = Schema.String.check(isInstant)

/** The description must be added before the check; otherwise the OpenAPI document would not contain it. */
export const instantOf = (description: string) => Schema.String.annotate({ description }).check(isInstant)

/** A day such as `2024-07-14`. */
export const DayParameter = Schema.String.check(
  Schema.isPattern(/^\d{4}-\d{2}-\d{2}$/u),
  Schema.makeFilter((day: string) => (isDay(day) ? undefined : `${day} is no day of the calendar`)),
).annotate({ description: "Day: `2024-07-14`" })
