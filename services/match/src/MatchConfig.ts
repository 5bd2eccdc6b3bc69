/** Settings of the match service. Every default suits a single node as well as many. */
import { DELAY_SECONDS } from "@matchpoint/domain/plans"
import { Context, Duration } from "effect"

export interface MatchSettings {
  /**
   * Interval between checkpoints of a changed match. After a crash, the next start folds at most this much again. No
   * fact is lost.
   */
  readonly checkpointEvery: Duration.Input
  /**
   * Interval at which a quiet match saves its position in FEED. FEED may drop records up to that position. If it drops
   * more while no process runs the match, the match counts as having lost history.
   */
  readonly notePositionEvery: Duration.Input
  /** Interval at which a match checks that LIVE still has its newest document. */
  readonly keepReadableEvery: Duration.Input
  /** Time after the end of a match during which its actor still accepts late events, such as the last shots. */
  readonly lingerAfterEnd: Duration.Input
  /** Interval at which the watchdog checks the feeds. */
  readonly watchEvery: Duration.Input
  /** Silence of the main feed after which a backup feed with newer reports takes over. */
  readonly quietAfter: Duration.Input
  /**
   * Silence of all feeds, while a map is being played, after which the match becomes stale. `interruptedAfter` and
   * `cancelAfter` set when it becomes interrupted and is cancelled. Between maps, the first two limits are four times
   * as long.
   */
  readonly staleAfter: Duration.Input
  readonly interruptedAfter: Duration.Input
  readonly cancelAfter: Duration.Input
  /**
   * Timeout of store operations that a match waits for: reading the register and the checkpoint at its start, and
   * saving the last checkpoint at its end. Without a checkpoint, the match folds FEED from the first fact.
   */
  readonly checkpointTimeout: Duration.Input
  /** Initial delay before the restart of a match that another process owns. Doubles up to `restartAtMost`. */
  readonly lostRestartAfter: Duration.Input
  /** Initial delay before the restart of a failed match. Doubles up to `restartAtMost`. */
  readonly restartAfter: Duration.Input
  readonly restartAtMost: Duration.Input
  /** Interval at which parked results are checked for retries that an operator has requested. */
  readonly parkedEvery: Duration.Input
  /** Interval at which changed matches are written to the archive. */
  readonly archiveEvery: Duration.Input
  /** Delay of the archive behind the live channels. Never less than the delay of any plan. */
  readonly archiveAfter: Duration.Input
}

export class MatchConfig extends Context.Reference<MatchSettings>("@matchpoint/service-match/MatchConfig", {
  defaultValue: () => ({
    checkpointEvery: "5 seconds",
    notePositionEvery: "1 minute",
    keepReadableEvery: "1 minute",
    lingerAfterEnd: "30 seconds",
    watchEvery: "5 seconds",
    quietAfter: "45 seconds",
    staleAfter: "2 minutes",
    interruptedAfter: "15 minutes",
    cancelAfter: "6 hours",
    checkpointTimeout: "2 seconds",
    lostRestartAfter: "2 seconds",
    restartAfter: "200 millis",
    restartAtMost: "10 seconds",
    parkedEvery: "5 seconds",
    archiveEvery: "5 seconds",
    archiveAfter: Duration.seconds(DELAY_SECONDS),
  }),
}) {}
