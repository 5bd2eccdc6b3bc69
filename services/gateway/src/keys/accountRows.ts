import type { PlanRow, StreamSession, Usage } from "@matchpoint/contracts/http/account/AccountApi"
import type { Customer } from "@matchpoint/domain/accounts"
import { type Period, periodEnd, periodStart } from "@matchpoint/domain/metering/periods"
import { type Plan, type PlanTerms, planTerms } from "@matchpoint/domain/plans"
import type { Counts, DayOfUsage, MonthOfUsage, StoredSession } from "@matchpoint/store/usage/UsageLedger"

export const planRow = (plan: Plan, terms: PlanTerms): PlanRow => ({ plan, ...terms })

/** Quota and rate in `limits` are those of the account, which can differ from those of the plan. */
export const usageOf = (customer: Customer, month: MonthOfUsage, days: ReadonlyArray<DayOfUsage>): Usage => {
  const { accountId, addOns, game, plan, requestsPerMonth, requestsPerSecond } = customer
  const counts = countsOf(month)
  return {
    entityType: "usage",
    accountId,
    plan,
    addOns,
    game,
    period: { period: month.period, startsAt: iso(periodStart(month.period)), endsAt: iso(periodEnd(month.period)) },
    ...counts,
    quota: month.quota,
    remaining: Math.max(0, month.quota - counts.total - month.misplaced),
    misplaced: month.misplaced,
    history: days.map((day) => ({ day: day.day, ...countsOf(day) })),
    limits: planRow(plan, { ...planTerms[plan], requestsPerMonth, requestsPerSecond }),
  }
}

export const sessionRow = ({ channel, closedAt, keyId, lastTickAt, openedAt, sessionId, ticks }: StoredSession): StreamSession => ({
  sessionId,
  keyId,
  channel,
  openedAt: iso(openedAt),
  lastTickAt: iso(lastTickAt),
  closedAt: closedAt === null ? null : iso(closedAt),
  ticks,
})

/** Combines the billing rows of one stream, one per month, oldest first. Undefined if there are none. */
export const sessionOf = (months: ReadonlyArray<StoredSession & { readonly period: Period }>) => {
  const last = months.at(-1)
  if (last === undefined) return undefined
  return {
    ...sessionRow(last),
    ticks: months.reduce((sum, { ticks }) => sum + ticks, 0),
    periods: months.map(({ period, ticks }) => ({ period, ticks })),
  }
}

const countsOf = ({ requests, streamTicks }: Counts) => ({ requests, streamTicks, total: requests + streamTicks })

const iso = (at: number): string => new Date(at).toISOString()
