/**
 * SQL condition for matches whose result every plan may see. Some plans receive live data with a delay, and they must
 * not see a result in the archive earlier than live. Therefore, everything computed from results includes a match only
 * after that delay, for all callers.
 */
import { DELAY_SECONDS } from "@matchpoint/domain/plans"

export const visibleResultSql = (s: string): string =>
  `${s}.status = 'completed' AND COALESCE(${s}.ends_at, ${s}.starts_at) <= now() - interval '${DELAY_SECONDS} seconds'`
