/**
 * SQL condition for matches whose result every plan may see. Plans with a 60-second delay must not learn a result from
 * the archive early. So everything computed from results includes a match only 60 seconds after its end, for all
 * callers.
 */
export const settledText = (s: string): string =>
  `${s}.status = 'completed' AND COALESCE(${s}.ends_at, ${s}.starts_at) <= now() - interval '60 seconds'`
