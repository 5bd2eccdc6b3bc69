/** How matches are run. Every value has a default that suits one node as well as many. */
import { DELAY_SECONDS } from "@matchpoint/domain/plans"
import { Context, Duration } from "effect"

export interface MatchSettings {
  /** How often a changed match is checkpointed. A crash costs at most this much folding at the next start, never a fact. */
  readonly checkpointEvery: Duration.Input
  /**
   * How often a match notes how far FEED as a whole has gone without a word of it. FEED may forget what a quiet match has read; only
   * what it forgets beyond the last note, while nobody runs the match, looks like lost history.
   */
  readonly notePositionEvery: Duration.Input
  /** How often a match makes sure that LIVE still has its newest document. */
  readonly keepReadableEvery: Duration.Input
  /** How long a finished match still takes the last shots. */
  readonly lingerAfterEnd: Duration.Input
  /** How often the watchdog looks at the feeds. */
  readonly watchEvery: Duration.Input
  /** The main feed counts as quiet after this, and a backup feed that is younger takes over. */
  readonly quietAfter: Duration.Input
  /** While a map is in play and no feed reports anything: the match is stale, then interrupted, then cancelled. Four times as long between maps for the first two. */
  readonly staleAfter: Duration.Input
  readonly interruptedAfter: Duration.Input
  readonly cancelAfter: Duration.Input
  /**
   * How long a match waits for the store: at its start for the register and for its checkpoint, without which it folds FEED from the first
   * fact, and at its end for its last checkpoint.
   */
  readonly checkpointTimeout: Duration.Input
  /** First wait before a match is started again that another process owned. Doubles up to `restartAtMost`. */
  readonly lostRestartAfter: Duration.Input
  /** First and longest wait before a failed match is started again. */
  readonly restartAfter: Duration.Input
  readonly restartAtMost: Duration.Input
  /** How often parked results are looked at, for those that an operator wants tried again. */
  readonly parkedEvery: Duration.Input
  /** How often the archive is told what it has not heard of. */
  readonly archiveEvery: Duration.Input
  /** How long after the live channels the archive hears of a match: never less than the delay of any plan. */
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
