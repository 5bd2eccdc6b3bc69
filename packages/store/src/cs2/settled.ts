/**
 * SQL condition for matches whose result every plan may see. Plans with a delay must not learn a result from the
 * archive early. So everything computed from results includes a match only after that delay, for all callers.
 */
import { DELAY_SECONDS } from "@matchpoint/domain/plans"

export const settledText = (s: string): string =>
  `${s}.status = 'completed' AND COALESCE(${s}.ends_at, ${s}.starts_at) <= now() - interval '${DELAY_SECONDS} seconds'`
