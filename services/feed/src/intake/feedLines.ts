import type { FeedLines } from "@matchpoint/contracts/http/feed/FactsApi"
import { Effect, Metric } from "effect"

export const linesReceived = Metric.counter("matchpoint_feed_lines_total", {
  description: "Lines of server logs by outcome: understood, repeated, reported, or irrelevant by a rule",
  incremental: true,
})

export const countLines = ({ irrelevant, repeated, reported, understood }: FeedLines) =>
  Effect.forEach(
    [
      { outcome: "understood", rule: "", count: understood },
      { outcome: "repeated", rule: "", count: repeated },
      { outcome: "reported", rule: "", count: reported },
      ...Object.entries(irrelevant).map(([rule, count]) => ({ outcome: "irrelevant", rule, count })),
    ].filter(({ count }) => count > 0),
    ({ count, outcome, rule }) => Metric.update(Metric.withAttributes(linesReceived, { outcome, rule }), count),
    { discard: true },
  )
