/**
 * Separates simulated data from imported data: once the archive has imported matches, rankings and statistics exclude
 * data made by the simulator. Matches played live on this installation always count.
 */
import { LIVE_SOURCE, SIMULATOR_SOURCE } from "@matchpoint/domain/cs2/archive/sources"

/**
 * Returns a condition on rows of matches, maps or player lines. Its subquery does not depend on the row: it runs once
 * per statement and reads one entry of the index `cs2_series_imported`.
 */
export const unmixedText = (row: string): string =>
  `(${row}.source <> '${SIMULATOR_SOURCE}' OR (
      SELECT min(imported.match_number) FROM cs2_series imported WHERE imported.source NOT IN ('${SIMULATOR_SOURCE}', '${LIVE_SOURCE}')) IS NULL)`

/** Returns the same condition for rows of published standings. */
export const unmixedPlacesText = (row: string): string =>
  `(${row}.source <> '${SIMULATOR_SOURCE}' OR (
      SELECT min(published.ranked_on) FROM cs2_rankings published WHERE published.ranking = 'vrs' AND published.source <> '${SIMULATOR_SOURCE}') IS NULL)`
