/**
 * Refreshes cached keys that are in use. Those due within the same quarter of a second share one query, so ten thousand
 * busy keys cost only a few queries per second.
 */
import type { ServiceUnavailable } from "@matchpoint/contracts/http/errors"
import type { ApiKeyId, Customer } from "@matchpoint/domain/accounts"
import { monotonicOf } from "@matchpoint/domain/monotonic"
import { repeatedly } from "@matchpoint/process/supervision/repeatedly"
import { Clock, Effect, Latch } from "effect"
import type { KnownKey, KnownKeys } from "./KnownKeys.ts"

const GATHER = "250 millis"
const MAX_KEYS_PER_QUERY = 5_000

/**
 * Returns a function that schedules one refresh of a cached key, however often it is called. It updates the result, or
 * rejects the key if it is no longer valid. `current` returns the customers of the keys that are still valid, in any
 * order, and logs its own failures.
 */
export const makeKeyRefresh = Effect.fnUntraced(function* (
  known: KnownKeys,
  current: (keyIds: ReadonlyArray<ApiKeyId>) => Effect.Effect<ReadonlyArray<Customer>, ServiceUnavailable>,
) {
  const monotonic = monotonicOf(yield* Clock.Clock)
  /** Keys that wait for the next query, by secret. */
  const due = new Map<string, KnownKey>()
  const wanted = Latch.makeUnsafe()

  const take = (): ReadonlyArray<readonly [secret: string, key: KnownKey]> => {
    const taken = [...due.entries().take(MAX_KEYS_PER_QUERY)]
    for (const [secret] of taken) due.delete(secret)
    if (due.size === 0) wanted.closeUnsafe()
    return taken
  }

  const queryKeys = Effect.fnUntraced(function* (batch: ReadonlyArray<readonly [secret: string, key: KnownKey]>) {
    const queriedAt = monotonic()
    const customers = yield* current(batch.map(([, { customer }]) => customer.keyId))
    const found = new Map(customers.map((customer) => [customer.keyId, customer]))
    for (const [secret, key] of batch) {
      // Meanwhile, the key was removed from the cache or refreshed by another query.
      if (known.get(secret) !== key || key.queriedAt >= queriedAt) continue
      const customer = found.get(key.customer.keyId)
      if (customer === undefined) known.refuse(secret, queriedAt)
      else known.keep(secret, customer, queriedAt)
    }
  })

  const turn = Effect.gen(function* () {
    yield* wanted.await
    yield* Effect.sleep(GATHER)
    const batch = take()
    yield* queryKeys(batch).pipe(
      Effect.ignore,
      Effect.ensuring(
        Effect.sync(() => {
          for (const [, key] of batch) key.isDue = false
        }),
      ),
    )
  })
  yield* repeatedly("refreshing API keys", turn)

  return (secret: string, key: KnownKey): void => {
    if (key.isDue) return
    key.isDue = true
    due.set(secret, key)
    wanted.openUnsafe()
  }
})
