/**
 * A transcript costs one request when it is delivered for the first time. The database records the delivery before the
 * account is charged, so that no failure charges a delivery twice.
 */
import type { QuotaExceeded, ServiceUnavailable } from "@matchpoint/contracts/http/errors"
import type { Customer } from "@matchpoint/domain/accounts"
import type { Meter } from "@matchpoint/metering/Meter"
import type { StoreError } from "@matchpoint/store/StoreError"
import type { TranscriptRequests } from "@matchpoint/store/transcripts/TranscriptRequests"
import type { StoredRequest } from "@matchpoint/store/transcripts/transcriptRows"
import { Effect } from "effect"

/** Charges the first delivery only. */
export type Deliver = (request: Pick<StoredRequest, "requestId" | "isBilled">) => Effect.Effect<void, StoreError>

/**
 * Reserves one request of the quota while `use` runs, and returns it if `use` delivers nothing. Fails if the quota is
 * used up.
 */
export const withReserved =
  (meter: Meter["Service"], requests: TranscriptRequests["Service"]) =>
  <A, E, R>(
    customer: Customer,
    use: (deliver: Deliver) => Effect.Effect<A, E, R>,
  ): Effect.Effect<A, E | QuotaExceeded | ServiceUnavailable, R> =>
    Effect.suspend(() => {
      let isCharged = false
      return Effect.acquireUseRelease(
        meter.acquire(customer),
        (lease) =>
          use(({ isBilled, requestId }) =>
            isBilled
              ? Effect.void
              : requests.bill(customer.accountId, requestId).pipe(
                  Effect.tap((isFirst) =>
                    Effect.sync(() => {
                      if (!isFirst) return
                      meter.serve(lease, "request")
                      isCharged = true
                    }),
                  ),
                  Effect.uninterruptible,
                  Effect.asVoid,
                ),
          ),
        (lease) => Effect.sync(() => (isCharged ? undefined : lease.release())),
      )
    })
