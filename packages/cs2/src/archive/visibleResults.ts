/**
 * SQL condition for matches whose result every plan is allowed to see. Some plans receive live data with a delay, and
 * must not see results in the archive earlier. Therefore everything computed from results includes a match only after
 * the delay, for all callers.
 */
import { DELAY_SECONDS } from "@matchpoint/domain/plans"

export const visibleResultSql = (s: string): string =>
  `${s}.status = 'completed' AND COALESCE(${s}.ends_at, ${s}.starts_at) <= now() - interval '${DELAY_SECONDS} seconds'`
