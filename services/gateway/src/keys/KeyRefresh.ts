/**
 * Asks again for keys while they are used, all that become due within a quarter of a second in one question: what ten thousand busy keys
 * cost the database and this process is a few questions a second.
 */
import type { ServiceUnavailable } from "@matchpoint/contracts/http/errors"
import type { ApiKeyId, Customer } from "@matchpoint/domain/accounts"
import { monotonicOf } from "@matchpoint/metering/monotonic"
import { Clock, Effect, Latch } from "effect"
import { repeatedly } from "../clockwork.ts"
import type { KnownKey, KnownKeys } from "./KnownKeys.ts"

const GATHER = "250 millis"
/** Keys of one question. */
const MAX_ASKED = 5_000

/**
 * `current`: those of the keys that still are keys, in no order; what it fails with has been said. Whoever is given back is called with a
 * secret and what is known of it, as often as one likes: its answer will be renewed, or it will be found that it is nobody's any more.
 */
export const makeKeyRefresh = Effect.fnUntraced(function* (
  known: KnownKeys,
  current: (keyIds: ReadonlyArray<ApiKeyId>) => Effect.Effect<ReadonlyArray<Customer>, ServiceUnavailable>,
) {
  const monotonic = monotonicOf(yield* Clock.Clock)
  /** By secret. */
  const due = new Map<string, KnownKey>()
  const wanted = Latch.makeUnsafe()

  const take = (): ReadonlyArray<readonly [secret: string, key: KnownKey]> => {
    const taken = [...due.entries().take(MAX_ASKED)]
    for (const [secret] of taken) due.delete(secret)
    if (due.size === 0) wanted.closeUnsafe()
    return taken
  }

  const ask = Effect.fnUntraced(function* (asked: ReadonlyArray<readonly [secret: string, key: KnownKey]>) {
    const askedAt = monotonic()
    const customers = yield* current(asked.map(([, { customer }]) => customer.keyId))
    const found = new Map(customers.map((customer) => [customer.keyId, customer]))
    for (const [secret, key] of asked) {
      // Forgotten meanwhile, or asked for by itself.
      if (known.get(secret) !== key || key.askedAt >= askedAt) continue
      const customer = found.get(key.customer.keyId)
      if (customer === undefined) known.refuse(secret, askedAt)
      else known.keep(secret, customer, askedAt)
    }
  })

  const turn = Effect.gen(function* () {
    yield* wanted.await
    yield* Effect.sleep(GATHER)
    const asked = take()
    yield* ask(asked).pipe(
      Effect.ignore,
      Effect.ensuring(
        Effect.sync(() => {
          for (const [, key] of asked) key.isDue = false
        }),
      ),
    )
  })
  yield* repeatedly("asking again for API keys", turn)

  return (secret: string, key: KnownKey): void => {
    if (key.isDue) return
    key.isDue = true
    due.set(secret, key)
    wanted.openUnsafe()
  }
})
