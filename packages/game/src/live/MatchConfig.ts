/** Settings of the match service. The defaults suit both a single node and a cluster. */
import { DELAY_SECONDS } from "@matchpoint/domain/plans"
import { Context, Duration, Effect, Layer } from "effect"

export interface MatchSettings {
  /**
   * Interval between checkpoints of a match that keeps changing. After a crash, at most the events of one such interval
   * must be folded again. No event is lost.
   */
  readonly checkpointEvery: Duration.Input
  /**
   * Interval at which a match without new events saves its position in the FEED stream (incoming events). FEED may drop
   * records up to the saved position. If FEED drops later records while no process runs the match, the service assumes
   * that events of the match have been lost.
   */
  readonly notePositionEvery: Duration.Input
  /** How often a match checks that the LIVE stream still contains its newest document. */
  readonly keepReadableEvery: Duration.Input
  /** How often a match checks whether lists would show it differently, and then publishes a list entry. */
  readonly listEvery: Duration.Input
  /** How long the actor of a finished match continues to accept late events, such as the last shots. */
  readonly lingerAfterEnd: Duration.Input
  /** How often each match checks whether its feeds are silent. */
  readonly watchEvery: Duration.Input
  /** How long the main feed must be silent before a backup feed with newer reports takes over. */
  readonly quietAfter: Duration.Input
  /**
   * How long all feeds must be silent during a map before the match becomes stale. `interruptedAfter` and `cancelAfter`
   * are the corresponding limits for becoming interrupted and being cancelled. Between maps, the limits for stale and
   * interrupted are four times as long.
   */
  readonly staleAfter: Duration.Input
  readonly interruptedAfter: Duration.Input
  readonly cancelAfter: Duration.Input
  /**
   * How long a registered match may remain scheduled before it is cancelled, counted from its registration, its scheduled
   * time or its last fact, whichever is latest.
   */
  readonly unstartedAfter: Duration.Input
  /**
   * Timeout of each database operation that a match waits for. At the start, the match reads its row in the match
   * register and its checkpoint. At the end, it saves the last checkpoint. If the checkpoint cannot be read in time,
   * the match rebuilds its state from all of its events in the FEED stream.
   */
  readonly checkpointTimeout: Duration.Input
  /**
   * Initial delay before this process tries again to run a match that another process owns. The delay doubles after
   * each attempt, up to `restartAtMost`.
   */
  readonly lostRestartAfter: Duration.Input
  /** Initial delay before a failed match is restarted. The delay doubles after each failure, up to `restartAtMost`. */
  readonly restartAfter: Duration.Input
  readonly restartAtMost: Duration.Input
  /**
   * How often the service checks whether an operator has requested a retry of parked results (match results that the
   * database has rejected).
   */
  readonly parkedEvery: Duration.Input
  /** How often changed matches are written to the archive. */
  readonly archiveEvery: Duration.Input
  /**
   * How far the archive lags behind the live channels. Never less than the delay of any plan, so that the archive does
   * not reveal data before the plan may see it.
   */
  readonly archiveAfter: Duration.Input
  /**
   * Maximum number of webhook events of one match in memory while the database does not respond. If there are more,
   * they are derived again later from the FEED stream. A map has about 400.
   */
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
  /** Changes some settings. The others stay as they are. */
  static readonly layerWith = (changes: Partial<MatchSettings>) =>
    Layer.effect(
      MatchConfig,
      Effect.map(MatchConfig, (settings) => ({ ...settings, ...changes })),
    )
}
