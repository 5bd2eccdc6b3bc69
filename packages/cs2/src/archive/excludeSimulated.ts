/**
 * Excludes simulated data once there is imported data. As soon as the archive has imported matches, rankings and
 * statistics exclude data made by the simulator. Matches covered live by this installation are always included.
 */
import { LIVE_SOURCE, SIMULATOR_SOURCE } from "../rules/archive/sources.ts"

/**
 * Returns an SQL condition that excludes simulated rows once the archive has imported matches. It can be used for rows
 * of matches, maps or player lines (one player's statistics on one map). Whether there are imported matches is
 * determined by a subquery that does not depend on the row. The subquery therefore runs only once per statement, and it
 * reads one entry of the index `cs2_series_imported`.
 */
export const excludeSimulatedSql = (row: string): string =>
  `(${row}.source <> '${SIMULATOR_SOURCE}' OR (
      SELECT min(imported.match_number) FROM cs2_series imported WHERE imported.source NOT IN ('${SIMULATOR_SOURCE}', '${LIVE_SOURCE}')) IS NULL)`

/**
 * Returns an SQL condition that excludes simulated rows of published standings once the archive has standings from
 * another source.
 */
export const unmixedPlacesText = (row: string): string =>
  `(${row}.source <> '${SIMULATOR_SOURCE}' OR (
      SELECT min(published.ranked_on) FROM cs2_rankings published WHERE published.ranking = 'vrs' AND published.source <> '${SIMULATOR_SOURCE}') IS NULL)`
