/** Settings of the match service. The defaults suit both a single node and a cluster. */
import { DELAY_SECONDS } from "@matchpoint/domain/plans"
import { Context, Duration, Effect, Layer } from "effect"

export interface MatchSettings {
  /** Interval of checkpoints of a changing match. A crash loses no event; those of an interval are folded again. */
  readonly checkpointEvery: Duration.Input
  /**
   * Interval at which a match without new facts saves its position in FEED. FEED may drop records up to that position.
   * If FEED drops later records while no process runs the match, the service assumes that facts of the match have been
   * lost.
   */
  readonly notePositionEvery: Duration.Input
  /** How often a match checks that LIVE still contains its newest document. */
  readonly keepReadableEvery: Duration.Input
  /** How often a match checks whether lists would show it differently, and then publishes a list entry. */
  readonly listEvery: Duration.Input
  /** How long the actor of a finished match accepts late events, such as the last shots. */
  readonly lingerAfterEnd: Duration.Input
  /** How often each match checks whether its feeds are silent. */
  readonly watchEvery: Duration.Input
  /** After this silence of the main feed, a backup feed with newer reports takes over. */
  readonly quietAfter: Duration.Input
  /**
   * After this silence of all feeds during a map, the match becomes stale; `interruptedAfter` and `cancelAfter` work
   * alike. Between maps, the limits for stale and interrupted are four times as long.
   */
  readonly staleAfter: Duration.Input
  readonly interruptedAfter: Duration.Input
  readonly cancelAfter: Duration.Input
  /**
   * After its registration, its scheduled time or its last fact, whichever is latest, a scheduled match is cancelled.
   */
  readonly unstartedAfter: Duration.Input
  /**
   * Timeout of each database operation that a match waits for: at the start, its row and its checkpoint; at the end, the
   * last checkpoint. If the checkpoint cannot be read in time, the match rebuilds its state from all of its facts in
   * FEED.
   */
  readonly checkpointTimeout: Duration.Input
  /** First delay before another attempt to run a match that another process owns. Doubles, up to `restartAtMost`. */
  readonly lostRestartAfter: Duration.Input
  /** First delay before a failed match is restarted. It doubles after each failure, up to `restartAtMost`. */
  readonly restartAfter: Duration.Input
  readonly restartAtMost: Duration.Input
  /** How often the service asks whether an operator has requested a retry of parked (rejected) results. */
  readonly parkedEvery: Duration.Input
  /** How often changed matches are written to the archive. */
  readonly archiveEvery: Duration.Input
  /** Delay behind the live channels, at least that of every plan, so that the archive reveals nothing too early. */
  readonly archiveAfter: Duration.Input
  /** Per match, while the database does not respond. Further ones are derived again from FEED. A map has about 400. */
  readonly webhookEventsInMemory: number
}

export class MatchConfig extends Context.Reference<MatchSettings>("@matchpoint/game/live/MatchConfig", {
  defaultValue: () => ({
    checkpointEvery: "5 seconds",
    notePositionEvery: "1 minute",
    keepReadableEvery: "1 minute",
    listEvery: "2 seconds",
    lingerAfterEnd: "30 seconds",
    watchEvery: "5 seconds",
    quietAfter: "45 seconds",
    staleAfter: "2 minutes",
    interruptedAfter: "15 minutes",
    cancelAfter: "6 hours",
    unstartedAfter: "7 days",
    checkpointTimeout: "2 seconds",
    lostRestartAfter: "2 seconds",
    restartAfter: "200 millis",
    restartAtMost: "10 seconds",
    parkedEvery: "5 seconds",
    archiveEvery: "5 seconds",
    archiveAfter: Duration.seconds(DELAY_SECONDS),
    webhookEventsInMemory: 2_000,
  }),
}) {
  static readonly layerWith = (changes: Partial<MatchSettings>) =>
    Layer.effect(
      MatchConfig,
      Effect.map(MatchConfig, (settings) => ({ ...settings, ...changes })),
    )
}
