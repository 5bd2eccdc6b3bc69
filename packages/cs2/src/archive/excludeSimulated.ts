/** Once the archive has imported data, rankings and statistics exclude simulated data. Live coverage always counts. */
import { LIVE_SOURCE, SIMULATOR_SOURCE } from "../rules/archive/sources.ts"

/**
 * For rows of matches, maps or player lines. The subquery does not depend on the row: it runs once per statement and
 * reads one entry of the index `cs2_series_imported`.
 */
export const excludeSimulatedSql = (row: string): string =>
  `(${row}.source <> '${SIMULATOR_SOURCE}' OR (
      SELECT min(imported.match_number) FROM cs2_series imported WHERE imported.source NOT IN ('${SIMULATOR_SOURCE}', '${LIVE_SOURCE}')) IS NULL)`

/** For rows of published standings: excludes simulated ones once the archive has standings from another source. */
export const unmixedPlacesText = (row: string): string =>
  `(${row}.source <> '${SIMULATOR_SOURCE}' OR (
      SELECT min(published.ranked_on) FROM cs2_rankings published WHERE published.ranking = 'vrs' AND published.source <> '${SIMULATOR_SOURCE}') IS NULL)`
