/** Months and days in UTC. Months are the billing periods; the usage history is kept by day. */
import { Schema } from "effect"

/** Calendar month in UTC, such as `2026-11`. */
export const Period = Schema.String.check(Schema.isPattern(/^[1-9][0-9]{3}-(0[1-9]|1[0-2])$/)).pipe(Schema.brand("Period"))
export type Period = typeof Period.Type

/** Calendar day in UTC, such as `2026-11-22`. */
export const Day = Schema.String.check(Schema.isPattern(/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/)).pipe(Schema.brand("Day"))
export type Day = typeof Day.Type

/** `at` is in epoch milliseconds. */
export const periodOf = (at: number): Period => Period.make(new Date(at).toISOString().slice(0, 7))

export const dayOf = (at: number): Day => Day.make(new Date(at).toISOString().slice(0, 10))

/** Start of a month in epoch milliseconds. */
export const periodStart = (period: Period): number => Date.UTC(Number(period.slice(0, 4)), Number(period.slice(5)) - 1)

/** End of a month in epoch milliseconds, exclusive. */
export const periodEnd = (period: Period): number => Date.UTC(Number(period.slice(0, 4)), Number(period.slice(5)))

export const periodOfDay = (day: Day): Period => Period.make(day.slice(0, 7))
