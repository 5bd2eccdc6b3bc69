/**
 * Repeatedly checks the API keys of open streams. The streams of a revoked key end within 5 seconds. If the plan has
 * changed, or the account may no longer use the channel, the client is asked to reconnect under the new terms. One
 * query checks up to 5,000 keys. If the database does not respond, streams continue.
 */
import type { ApiKeyId, Customer } from "@matchpoint/domain/accounts"
import { monotonicOf } from "@matchpoint/domain/monotonic"
import { entitlementError } from "@matchpoint/metering/entitlements"
import { repeatedly } from "@matchpoint/process/supervision/repeatedly"
import { ApiKeys } from "@matchpoint/store/keys/ApiKeys"
import { Clock, Effect, Exit, Layer } from "effect"
import { Authenticator } from "../keys/Authenticator.ts"
import { OpenStreams, type Ticket } from "./OpenStreams.ts"
import { keyEnded, planChanged } from "./streamEnds.ts"

const LOOK_EVERY = "3 seconds"
const ANSWER_WITHIN = "1500 millis"
const MAX_KEYS_PER_QUERY = 5_000

const watch = Effect.gen(function* () {
  const store = yield* ApiKeys
  const authenticator = yield* Authenticator
  const streams = yield* OpenStreams
  const monotonic = monotonicOf(yield* Clock.Clock)
  let isDown = false

  const lookAt = Effect.fnUntraced(function* (keyIds: ReadonlyArray<ApiKeyId>) {
    // Streams opened during the query may be newer than its result, so they are not checked against it.
    const upTo = streams.lastNumber()
    const queriedAt = monotonic()
    const current = new Map((yield* store.current(keyIds).pipe(Effect.timeout(ANSWER_WITHIN))).map((key) => [key.keyId, key]))
    // The next handshake with one of these keys needs no database query.
    authenticator.confirm(current, queriedAt)
    for (const keyId of keyIds) {
      const now = current.get(keyId)
      const ending = [...streams.ofKey(keyId)].filter(
        (ticket) => ticket.number <= upTo && (now === undefined || isServedOtherwise(ticket, now)),
      )
      if (ending.length > 0) authenticator.forget(keyId)
      for (const ticket of ending) ticket.end(now === undefined ? keyEnded : planChanged)
    }
  })

  /** If one chunk fails, the others are still checked, and the first failure is reported afterwards. */
  const lookAtAll = Effect.suspend(() => Effect.forEach(chunksOf(streams.keys()), (keyIds) => Effect.exit(lookAt(keyIds)))).pipe(
    Effect.flatMap((exits) => exits.find(Exit.isFailure) ?? Effect.void),
  )

  const look = lookAtAll.pipe(
    Effect.tap(() => {
      const wasDown = isDown
      isDown = false
      return wasDown ? Effect.logInfo("the keys of open streams can be checked again") : Effect.void
    }),
    Effect.catch((error) => {
      const wasDown = isDown
      isDown = true
      return wasDown ? Effect.void : Effect.logError("the keys of open streams cannot be checked; the streams continue", error)
    }),
  )
  yield* repeatedly("checking the keys of open streams", Effect.delay(look, LOOK_EVERY))
})

/**
 * True if the plan has changed, or the account may no longer use the channel. A changed quota or rate requires no
 * reconnect: the meter applies it immediately.
 */
const isServedOtherwise = ({ channel, key }: Ticket, now: Customer): boolean =>
  now.plan !== key.plan || entitlementError(now, channel) !== undefined

const chunksOf = (keys: ReadonlyArray<ApiKeyId>): ReadonlyArray<ReadonlyArray<ApiKeyId>> =>
  Array.from({ length: Math.ceil(keys.length / MAX_KEYS_PER_QUERY) }, (_, chunk) =>
    keys.slice(chunk * MAX_KEYS_PER_QUERY, (chunk + 1) * MAX_KEYS_PER_QUERY),
  )

export class KeyWatch {
  static readonly layer = Layer.effectDiscard(watch)
}
