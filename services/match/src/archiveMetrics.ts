/** What the archiver of a game counts. */
import { Metric } from "effect"

export const matchesArchived = Metric.counter("matchpoint_match_archived_total", {
  description: "Times a live match was told to the archive",
  incremental: true,
})
