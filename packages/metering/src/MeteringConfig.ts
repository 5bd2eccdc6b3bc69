import { Context, type Duration } from "effect"

export interface MeteringSettings {
  /** If false, there is no quota or rate limit, but plans still decide what can be used. For private installations. */
  readonly enabled: boolean
  /**
   * If a gateway crashes, at most the usage of one interval is not billed, and customers cannot use the requests in the
   * current month that the gateway had reserved but not served.
   */
  readonly reportEvery: Duration.Input
  /** Timeout of one exchange with the ledger. */
  readonly answerWithin: Duration.Input
  readonly retryAfter: Duration.Input
  /** How long paid plans are served while the ledger does not respond, even without reserved requests. */
  readonly graceLasts: Duration.Input
  /** Unused for this long, an account's reserved requests are given back to the quota. */
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
