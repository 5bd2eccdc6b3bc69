/** How far live data lags behind, measured on request. */
import { timesOfDelta } from "@matchpoint/contracts/stream/wire"
import { LiveHub } from "@matchpoint/game/edge/live/LiveHub"
import { Clock, Effect, Metric } from "effect"

export const logUp = Metric.gauge("matchpoint_log_up", { description: "1 if the log answered within half a second, else 0" })
export const logLag = Metric.gauge("matchpoint_log_lag_records", {
  description: "Records of LIVE that the gateway has not read yet; the last known value while the log does not answer",
})
export const oldestFeed = Metric.gauge("matchpoint_feed_oldest_age_seconds", {
  description: "Longest time since the last fact, of all live matches; 0 without live matches",
})
export const newestFeed = Metric.gauge("matchpoint_feed_newest_age_seconds", {
  description: "Shortest time since the last fact, of all live matches; 0 without live matches",
})

/** A log that does not respond must not delay the other metrics. */
const ANSWER_WITHIN = "500 millis"

export const liveMetrics = Effect.gen(function* () {
  const hub = yield* LiveHub
  const update = Effect.gen(function* () {
    const newest = yield* Effect.option(Effect.timeout(hub.newest, ANSWER_WITHIN))
    yield* Metric.update(logUp, newest._tag === "Some" ? 1 : 0)
    if (newest._tag === "Some") yield* Metric.update(logLag, Math.max(0, newest.value - hub.passed()))
    // biome-ignore lint/plugin: compared with stamps of the process that received the facts
    const now = yield* Clock.currentTimeMillis
    const ages = hub.realtime.rooms
      .live()
      .flatMap(({ newest }) => (newest === undefined ? [] : (timesOfDelta(newest.record.delta) ?? [])))
      .map(({ receivedAt }) => Math.max(0, now - receivedAt) / 1_000)
    yield* Metric.update(oldestFeed, ages.length === 0 ? 0 : Math.max(...ages))
    yield* Metric.update(newestFeed, ages.length === 0 ? 0 : Math.min(...ages))
  })
  return { update }
})
