/** Names of sources that have special rules in the archive. Importers define their own names. */

/**
 * Source of fictional matches: the demo season and simulated live matches. They are never counted together with
 * imported matches.
 */
export const SIMULATOR_SOURCE = "simulator"

/** Source of matches that this server received from real feeds. */
export const LIVE_SOURCE = "live"
