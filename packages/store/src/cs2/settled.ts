/**
 * Which matches are over for everybody. A plan whose live data is delayed must not learn a result from the archive before. So
 * everything that is computed from results counts a match only after that delay, for every caller.
 */
import { DELAY_SECONDS } from "@matchpoint/domain/plans"

export const settledText = (s: string): string =>
  `${s}.status = 'completed' AND COALESCE(${s}.ends_at, ${s}.starts_at) <= now() - interval '${DELAY_SECONDS} seconds'`
