/**
 * Exchanges counts with the other gateways: one exchange at a time, with everything gathered since the previous one.
 * Keys with waiting clients come first. Reports at least once a second, so that this gateway is not considered gone.
 */
import type { ApiKeyId } from "@matchpoint/domain/accounts"
import { LOST_AFTER_MS } from "@matchpoint/domain/metering/streamCounts"
import { monotonicOf } from "@matchpoint/domain/monotonic"
import { Clock, Deferred, Effect, Fiber, Latch, Random } from "effect"
import { timeoutAwake } from "../timeoutAwake.ts"
import { uuidOf } from "../uuidOf.ts"
import type { KeyPlaces, Place, PlacesHost, PlaceWaiter } from "./KeyPlaces.ts"
import type { SharedCountsError, SharedCountsPort } from "./SharedCounts.ts"

/** Maximum number of keys per exchange. */
const MAX_KEYS = 500
/** Longest time until another gateway can use a place that was released here. */
const GATHER = "250 millis"
const REPORT_EVERY_MS = 1_000
/** Every key is reported again within this many reports, which corrects counts that an unknown result has changed. */
const REPORTS_PER_ROUND = 600
const ANSWER_WITHIN = "1 second"
/** After a failed exchange, the gateway decides by its own counts for this long. */
const ASK_AGAIN_MS = 1_000
/** Time for the last report on shutdown. */
const LEAVE_WITHIN = "2 seconds"
/**
 * Connects this recent can turn out to be free: a client reconnects at once, and it takes `LOST_AFTER_MS` and two
 * reports until its old gateway is known to be gone.
 */
const CREDITABLE_MS = LOST_AFTER_MS + 3 * REPORT_EVERY_MS

export interface CountsPump {
  readonly host: PlacesHost
  /** True while the shared counts do not respond. Clients must not wait for them. */
  readonly decidesAlone: () => boolean
  readonly wait: (key: KeyPlaces, waiter: PlaceWaiter) => void
  /** Sends the last counts and declares this gateway gone. Also at the end of the scope. */
  readonly drain: () => void
}

interface RecentConnect {
  readonly place: Place
  readonly at: number
}

/** Runs in the current scope. Removes keys with nothing open from `keys`. */
export const makeCountsPump = Effect.fnUntraced(function* (shared: SharedCountsPort, keys: Map<ApiKeyId, KeyPlaces>) {
  const monotonic = monotonicOf(yield* Clock.Clock)
  const gatewayId = uuidOf(yield* Random.Random)
  /** Keys with waiting clients. */
  const urgent = new Set<KeyPlaces>()
  const due = new Set<KeyPlaces>()
  const wanted = Latch.makeUnsafe()
  const hasLeft = Deferred.makeUnsafe<void>()
  /** Charged connects that may turn out to be free, oldest first. */
  let recent: Array<RecentConnect> = []
  let gone: ReadonlySet<string> = new Set()
  let round = keys.values()
  let reportAt = 0
  let isDown = false
  let askAgainAt = 0
  let isLeaving = false

  const report = (key: KeyPlaces): void => {
    due.add(key)
  }

  const take = (): ReadonlyArray<KeyPlaces> => {
    const batch = [...new Set([...urgent, ...due])].slice(0, MAX_KEYS)
    for (const key of batch) {
      urgent.delete(key)
      due.delete(key)
    }
    if (urgent.size === 0 && !isLeaving) wanted.closeUnsafe()
    return batch
  }

  /** The next keys of the round in which every key is reported again. */
  const addRound = (): void => {
    for (let left = Math.ceil(keys.size / REPORTS_PER_ROUND); left > 0; left--) {
      const next = round.next()
      if (next.done === true) {
        round = keys.values()
        return
      }
      report(next.value)
    }
  }

  /** Clients of a gateway that has gone since the last answer may have connected here before that was known. */
  const applyGone = (ids: ReadonlyArray<string>): void => {
    const isNews = ids.some((id) => !gone.has(id))
    gone = new Set(ids)
    if (!isNews) return
    for (const { place } of recent) {
      if (place.isFree || place.isReleased) continue
      place.key.wantsCredit(place)
      report(place.key)
    }
  }

  /** Does not wait for the end of a request that has timed out. A database may need seconds to cancel it. */
  const answered = <A>(asking: Effect.Effect<A, SharedCountsError>) =>
    Effect.flatMap(Effect.forkDetach(asking), (request) =>
      Fiber.join(request).pipe(
        timeoutAwake(ANSWER_WITHIN),
        Effect.onError(() => Effect.sync(() => request.interruptUnsafe())),
      ),
    )

  const lost = Effect.fnUntraced(function* (error: unknown) {
    askAgainAt = monotonic() + ASK_AGAIN_MS
    if (isDown) return
    isDown = true
    yield* Effect.logWarning("the shared counts of connections do not respond; this gateway limits by its own counts until they do", error)
  })

  const found = Effect.suspend(() => {
    if (!isDown) return Effect.void
    isDown = false
    return Effect.logInfo("the shared counts of connections respond again")
  })

  const exchange = Effect.fnUntraced(function* (batch: ReadonlyArray<KeyPlaces>) {
    const claims = batch.map((key) => key.claim())
    const answer = yield* answered(shared.exchange(gatewayId, claims))
    reportAt = monotonic() + REPORT_EVERY_MS
    for (const [n, key] of batch.entries()) {
      const claim = claims[n]
      const grant = answer.grants[n]
      if (claim !== undefined && grant !== undefined) key.settled(claim, grant)
    }
    if (!answer.isKnown) {
      const reported = new Set(batch)
      for (const key of keys.values()) if (!reported.has(key)) report(key)
    }
    applyGone(answer.gone)
    yield* found
  })

  const settle = (batch: ReadonlyArray<KeyPlaces>) =>
    exchange(batch).pipe(
      Effect.catch((error) => {
        for (const key of [...batch, ...urgent]) key.failed()
        for (const key of urgent) report(key)
        urgent.clear()
        wanted.closeUnsafe()
        return lost(error)
      }),
      Effect.ensuring(
        Effect.sync(() => {
          for (const key of batch) {
            if (key.needsReport) report(key)
            else if (key.isEmpty) keys.delete(key.keyId)
          }
        }),
      ),
    )

  const turn = Effect.gen(function* () {
    yield* Effect.timeoutOption(wanted.await, GATHER)
    const now = monotonic()
    if (recent[0] !== undefined && now - recent[0].at >= CREDITABLE_MS) recent = recent.filter(({ at }) => now - at < CREDITABLE_MS)
    if (now < askAgainAt) return yield* Effect.sleep(GATHER)
    const isReportDue = now >= reportAt
    if (isReportDue) addRound()
    if (isReportDue || urgent.size + due.size > 0) yield* settle(take())
  })

  const leave = Effect.gen(function* () {
    while (urgent.size + due.size > 0 && !isDown) yield* settle(take())
    if (!isDown) yield* Effect.catch(answered(shared.leave(gatewayId)), lost)
  })

  yield* turn.pipe(
    Effect.catchCause((cause) => Effect.logError("exchanging counts of connections failed; continuing", cause)),
    Effect.repeat({ until: () => isLeaving }),
    Effect.andThen(leave),
    Effect.ensuring(Deferred.succeed(hasLeft, undefined)),
    Effect.forkScoped,
  )

  const drain = (): void => {
    isLeaving = true
    wanted.openUnsafe()
  }
  // Registered after the fork, so that it runs before the fiber is interrupted.
  yield* Effect.addFinalizer(() => Effect.andThen(Effect.sync(drain), Effect.timeoutOption(Deferred.await(hasLeft), LEAVE_WITHIN)))

  const pump: CountsPump = {
    host: {
      isFrozen: () => isLeaving,
      changed: report,
      charged: (place) => {
        recent.push({ place, at: monotonic() })
      },
    },
    decidesAlone: () => isDown || isLeaving,
    wait: (key, waiter) => {
      key.wait(waiter)
      urgent.add(key)
      wanted.openUnsafe()
    },
    drain,
  }
  return pump
})
