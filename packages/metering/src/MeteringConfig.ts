/** Metering settings of a gateway. Every value has a default. */
import { Context, type Duration } from "effect"

export interface MeteringSettings {
  /**
   * If false, nothing is counted and no quota or rate limit applies, but customers can still use only what their plan
   * includes. Intended for private installations.
   */
  readonly enabled: boolean
  /**
   * Interval between usage reports to the ledger. If a gateway crashes, at most the usage of one interval is not
   * billed. In addition, customers lose at most the requests that the gateway had reserved but not served: these cannot
   * be used in the current month.
   */
  readonly reportEvery: Duration.Input
  /** Timeout of one exchange with the ledger. */
  readonly answerWithin: Duration.Input
  /** Delay between a failed exchange with the ledger and the next attempt. */
  readonly retryAfter: Duration.Input
  /**
   * Length of the grace period: how long customers with paid plans are still served while the ledger does not respond,
   * even if no requests are reserved from their quota.
   */
  readonly graceLasts: Duration.Input
  /**
   * How long an account must be unused before the gateway gives the requests that it has reserved for the account back
   * to the quota.
   */
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
