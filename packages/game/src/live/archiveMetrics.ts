import { Metric } from "effect"

export const matchesArchived = Metric.counter("matchpoint_match_archived_total", {
  description: "Live matches written to the archive, counting each update",
  incremental: true,
})
