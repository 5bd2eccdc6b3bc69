/** Sources that rules of the archive are about. Importers name themselves. */

/** Invented matches: the demo season, and simulated live matches. Never counted together with imported ones. */
export const SIMULATOR_SOURCE = "simulator"

/** Matches that real feeds have played here. */
export const LIVE_SOURCE = "live"
