/**
 * Port to the counts of open connections, streams and replays that all gateways share: Redis, memory, or SQL in the
 * store package. The rules are those of `streamCounts` in the domain package. `StreamLimits` decides when to report,
 * and what to do if the counts do not respond.
 */
import type { Spending, StreamClaim, StreamCountsAnswer } from "@matchpoint/domain/metering/streamCounts"
import { Context, type Effect, Schema } from "effect"

/** It is unknown whether the claims were applied. They can safely be sent again. */
export class SharedCountsError extends Schema.TaggedError<SharedCountsError>("@matchpoint/metering/SharedCountsError")(
  "SharedCountsError",
  {
    cause: Schema.Defect(),
  },
) {}

export interface SharedCountsPort {
  /**
   * Also reports that the gateway is alive. At most one claim per key; those of a key are decided one after the other.
   */
  readonly exchange: (gatewayId: string, claims: ReadonlyArray<StreamClaim>) => Effect.Effect<StreamCountsAnswer, SharedCountsError>
  /** Declares the gateway gone. Its counts remain as last reported. */
  readonly leave: (gatewayId: string) => Effect.Effect<void, SharedCountsError>
  /**
   * Adds to what all gateways have used, at most once per bucket. Returns for each bucket, in the same order, for how
   * many milliseconds nothing more may be used, or 0. A bucket that is repeated after a lost answer counts twice.
   */
  readonly spend: (spendings: ReadonlyArray<Spending>) => Effect.Effect<ReadonlyArray<number>, SharedCountsError>
}

/** Null if this is the only gateway. */
export class SharedCounts extends Context.Reference<SharedCountsPort | null>("@matchpoint/metering/counts/SharedCounts", {
  defaultValue: () => null,
}) {}
