/** The result of one run of a scenario, as it is printed with `--json`. */
import type { BillReport } from "../check/bills.ts"
import type { DeliveriesReport } from "../check/deliveries.ts"
import type { Size } from "../scenarios/Scenario.ts"

/** Longest time without an update, over all matches, in milliseconds. */
export interface PauseSummary {
  readonly medianMs: number
  readonly worstMs: number
}

export interface Verdict {
  readonly scenario: string
  readonly seed: number
  readonly size: Size
  /** True if there are no findings. */
  readonly clean: boolean
  readonly findings: ReadonlyArray<string>
  /** What was done, measured and skipped. */
  readonly notes: ReadonlyArray<string>
  readonly pauses: { readonly before: PauseSummary; readonly fault: PauseSummary }
  readonly clients: {
    readonly clients: number
    readonly frames: number
    readonly connects: number
    readonly verdicts: Readonly<Record<string, number>>
    readonly announced: number
    readonly closes: Readonly<Record<string, number>>
  }
  readonly feeds: {
    readonly matches: number
    readonly facts: number
    readonly factsPerSecond: number
    readonly retries: number
    readonly failures: Readonly<Record<string, number>>
    readonly longestPostMs: number
  }
  readonly webhooks: Omit<DeliveriesReport, "findings">
  readonly bills: ReadonlyArray<BillReport>
  readonly seconds: number
}
