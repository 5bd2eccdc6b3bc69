/** Sources with special rules in the archive. Importers define their own names. */

/** Fictional matches: the demo season and simulated live matches. Never counted together with imported matches. */
export const SIMULATOR_SOURCE = "simulator"

/** Matches that this server received from real feeds. */
export const LIVE_SOURCE = "live"
