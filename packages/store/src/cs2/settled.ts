/**
 * Which matches are over for everybody. A plan that reads live data 60 seconds late must not learn a result from the archive before; so
 * what is computed from results counts a match that late, whoever asks.
 */
export const settledText = (s: string): string =>
  `${s}.status = 'completed' AND COALESCE(${s}.ends_at, ${s}.starts_at) <= now() - interval '60 seconds'`
