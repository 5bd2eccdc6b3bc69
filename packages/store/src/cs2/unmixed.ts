/**
 * Keeps simulated data apart from imported data: as soon as the archive has imported matches, rankings and statistics leave out what the
 * simulator has made. Matches that were played here count with either.
 */
import { LIVE_SOURCE, SIMULATOR_SOURCE } from "@matchpoint/domain/cs2/archive/sources"

/**
 * A condition on rows of matches, maps or player lines. The subquery does not depend on the row: it runs once per
 * statement, and reads one entry of the index `cs2_series_imported`.
 */
export const unmixedText = (row: string): string =>
  `(${row}.source <> '${SIMULATOR_SOURCE}' OR (
      SELECT min(imported.match_number) FROM cs2_series imported WHERE imported.source NOT IN ('${SIMULATOR_SOURCE}', '${LIVE_SOURCE}')) IS NULL)`

/** The same of places in published standings. */
export const unmixedPlacesText = (row: string): string =>
  `(${row}.source <> '${SIMULATOR_SOURCE}' OR (
      SELECT min(published.ranked_on) FROM cs2_rankings published WHERE published.ranking = 'vrs' AND published.source <> '${SIMULATOR_SOURCE}') IS NULL)`
