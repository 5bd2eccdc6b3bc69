/** How a gateway meters. Every value has a default. */
import { Context, type Duration } from "effect"

export interface MeteringSettings {
  /** False: nothing is counted or limited; entitlements hold all the same. For private installations. */
  readonly enabled: boolean
  /** What was served is told to the ledger this often; a gateway that dies forgets no more than this, and no more than its open leases. */
  readonly reportEvery: Duration.Input
  /** The ledger has this long to answer. */
  readonly answerWithin: Duration.Input
  /** A ledger that failed is asked again after this. */
  readonly retryAfter: Duration.Input
  /** For so long without the ledger paid plans are served in grace. */
  readonly graceLasts: Duration.Input
  /** A lease that was not used for this long is given back. */
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
