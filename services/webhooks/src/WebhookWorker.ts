/**
 * Claims lanes (the queue of one subscription for one match) from the database, sends their deliveries in order, and
 * stores the results. Any number of workers may run. If one dies, its lanes become free when their leases expire, and
 * deliveries whose result was not stored are sent again. `WebhookEvents` decides which events exist and who receives
 * them, and `WebhookSender` sends the requests.
 */
import { randomUUID } from "node:crypto"
import { type Claim, type LaneResult, WebhookDeliveries } from "@matchpoint/store/webhooks/WebhookDeliveries"
import { WebhookWakeups } from "@matchpoint/store/webhooks/WebhookWakeups"
import { WebhookSecrets } from "@matchpoint/webhooks/SecretBox"
import { Clock, Effect, FiberSet, Latch, Layer, Metric } from "effect"
import { deliverLane } from "./deliverLane.ts"
import { Pacer } from "./Pacer.ts"
import { WebhookConfig } from "./WebhookConfig.ts"
import { WebhookSender } from "./WebhookSender.ts"

export const lanesHeld = Metric.gauge("matchpoint_webhook_lanes_held", {
  description: "Lanes (subscription and match) to which this process is delivering webhooks",
})

const work = Effect.gen(function* () {
  const settings = yield* WebhookConfig
  const secrets = yield* WebhookSecrets
  if (secrets === null) return yield* Effect.logInfo("webhooks are off, because no key for their secrets is configured")
  const deliveries = yield* WebhookDeliveries
  const sender = yield* WebhookSender
  const pacer = new Pacer()
  const held = new Map<string, number>()
  const heldByAccount = new Map<string, number>()
  let lanesInWork = 0
  /** Results that are not stored yet. Bounded by the number of lanes that the worker may hold. */
  const finished: Array<{ readonly claim: Claim; readonly result: LaneResult }> = []
  const finishedSome = yield* Latch.make(false)
  const mayClaim = yield* Latch.make(false)

  const hold = ({ accountId, subscriptionId }: Held, change: 1 | -1) => {
    add(held, subscriptionId, change)
    add(heldByAccount, accountId, change)
    lanesInWork += change
  }

  /** A result is removed only after it is stored. */
  const store = Effect.gen(function* () {
    const batch = finished.slice(0, settings.resultsAtOnce)
    if (batch.length === 0) return
    yield* deliveries.record(batch.map(({ result }) => result))
    finished.splice(0, batch.length)
    for (const { claim } of batch) hold(claim, -1)
    yield* Metric.update(lanesHeld, lanesInWork)
    yield* mayClaim.open
  })

  yield* Effect.addFinalizer(() =>
    Effect.whileLoop({ while: () => finished.length > 0, body: () => store, step: () => {} }).pipe(
      Effect.timeout(settings.shutdownTimeout),
      Effect.catch((error) => Effect.logWarning("cannot store the last webhook results; their deliveries are sent again", error)),
    ),
  )
  const lanes = yield* FiberSet.make<void>()

  const run = (claim: Claim) =>
    deliverLane(claim, { secrets, sender, pacer, settings, warn: warnOf(claim) }).pipe(
      Effect.flatMap((result) => {
        finished.push({ claim, result })
        return finishedSome.open
      }),
      Effect.uninterruptible,
      (lane) => FiberSet.run(lanes, lane),
    )

  yield* finishedSome.await.pipe(
    Effect.andThen(finishedSome.close),
    // Lanes that end at about the same time share a statement.
    Effect.andThen(Effect.sleep(settings.gatherResults)),
    Effect.andThen(Effect.whileLoop({ while: () => finished.length > 0, body: () => store, step: () => {} })),
    Effect.catchCause((cause) =>
      Effect.logWarning("cannot store webhook results; retrying", cause).pipe(
        Effect.andThen(Effect.sleep(settings.retryDatabaseAfter)),
        Effect.andThen(finishedSome.open),
      ),
    ),
    Effect.forever,
    Effect.forkScoped,
  )

  const woken = yield* Effect.flatMap(WebhookWakeups, ({ subscribe }) => subscribe)
  yield* woken.pipe(Effect.andThen(mayClaim.open), Effect.forever, Effect.forkScoped)

  /**
   * Waits for a wakeup, a stored result, the next due attempt, or the regular query. Lanes that were due at the last
   * claim wait for a limit, so only a stored result can make room for them.
   */
  const untilWork = Effect.fnUntraced(function* (claimedAt: number) {
    const due = lanesInWork < settings.lanes ? yield* deliveries.nextDue(claimedAt) : undefined
    // biome-ignore lint/plugin: due times are in the database
    const now = yield* Clock.currentTimeMillis
    const waitMs = Math.min(
      settings.lookEveryMs,
      due === undefined ? Number.POSITIVE_INFINITY : Math.max(settings.lookAtMostEveryMs, due - now),
    )
    yield* Effect.raceFirst(mayClaim.await, Effect.sleep(waitMs))
  })

  const claimSome = Effect.gen(function* () {
    yield* mayClaim.close
    const claimedAt = yield* Clock.currentTimeMillis
    const free = settings.lanes - lanesInWork
    const claims =
      free <= 0
        ? []
        : yield* deliveries.claim({
            holder: randomUUID(),
            lanes: Math.min(free, settings.lanesAtOnce),
            perLane: settings.deliveriesPerLane,
            perSubscription: settings.lanesPerSubscription,
            perAccount: settings.lanesPerAccount,
            held,
            heldByAccount,
            leaseMs: settings.leaseMs,
          })
    for (const claim of claims) hold(claim, 1)
    yield* Effect.forEach(claims, run, { discard: true })
    if (claims.length === 0) yield* untilWork(claimedAt)
  }).pipe(
    Effect.catchCause((cause) =>
      Effect.andThen(Effect.logWarning("cannot claim webhook deliveries; retrying", cause), Effect.sleep(settings.retryDatabaseAfter)),
    ),
  )
  yield* Effect.forkScoped(Effect.forever(claimSome))
})

const warnOf =
  ({ subscriptionId, url }: Claim) =>
  (what: string) =>
    Effect.logWarning(`webhook ${subscriptionId} (${URL.parse(url)?.host ?? "invalid URL"}): ${what}`)

type Held = Pick<Claim, "accountId" | "subscriptionId">

const add = (counts: Map<string, number>, id: string, change: 1 | -1) => {
  const count = (counts.get(id) ?? 0) + change
  if (count === 0) counts.delete(id)
  else counts.set(id, count)
}

export class WebhookWorker {
  static readonly layer = Layer.effectDiscard(work.pipe(Effect.annotateLogs({ service: "webhooks" })))
}
