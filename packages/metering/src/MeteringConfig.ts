/** Metering settings of a gateway. Every value has a default. */
import { Context, type Duration } from "effect"

export interface MeteringSettings {
  /** If false, nothing is counted or limited, but entitlements still apply. For private installations. */
  readonly enabled: boolean
  /**
   * Interval of usage reports to the ledger. A gateway that crashes loses at most the usage of one interval, and at
   * most its open leases.
   */
  readonly reportEvery: Duration.Input
  /** Timeout of one exchange with the ledger. */
  readonly answerWithin: Duration.Input
  /** Delay before the ledger is asked again after a failure. */
  readonly retryAfter: Duration.Input
  /** Maximum time for which paid plans are served in grace, without the ledger. */
  readonly graceLasts: Duration.Input
  /** Time after which an unused lease is given back. */
  readonly idleAfter: Duration.Input
}

export class MeteringConfig extends Context.Reference<MeteringSettings>("@matchpoint/metering/MeteringConfig", {
  defaultValue: () => ({
    enabled: true,
    reportEvery: "2 seconds",
    answerWithin: "2 seconds",
    retryAfter: "1 second",
    graceLasts: "5 minutes",
    idleAfter: "30 seconds",
  }),
}) {}
