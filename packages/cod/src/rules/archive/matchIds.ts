/** A number as text, or `bp-match-<n>`. Each source has its own range, so ids never collide. */
import { type MatchId, matchNumber } from "@matchpoint/domain/ids"

/** Simulated matches have this number and the following ones. */
export const FIRST_SIMULATED_MATCH = 900_000_000

/** The archive id of a live match is this number plus the number of the live match. */
const FIRST_LIVE_MATCH = 1_000_000_000

/** Archive id of a finished live match: `1000001001` for `cod-match-1001`. */
export const archiveIdOf = (matchId: MatchId): string => String(FIRST_LIVE_MATCH + matchNumber(matchId))
