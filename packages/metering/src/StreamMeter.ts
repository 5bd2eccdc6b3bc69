/**
 * Charges open streams: one request at the opening, and one after each full 15 seconds (a tick). A tick is identified
 * by session and number, so it is charged once even if reported repeatedly. Nothing is charged during a shutdown. If
 * this process was suspended, the whole pause is a single tick. The transports decide which connection belongs to which
 * session.
 */
import type { Customer } from "@matchpoint/domain/accounts"
import type { StreamChannel } from "@matchpoint/domain/metering/leases"
import { monotonicOf } from "@matchpoint/domain/monotonic"
import { Clock, Context, Effect, Layer, Random } from "effect"
import type { Waiter } from "./AccountMeter.ts"
import type { Lease } from "./Lease.ts"
import { Meter, type Refused } from "./Meter.ts"
import { StreamSession } from "./StreamSession.ts"
import { uuidOf } from "./uuidOf.ts"

/** Charged at their end, never early and at most one second late. */
export const TICK_SECONDS = 15

export class StreamMeter extends Context.Service<
  StreamMeter,
  {
    /**
     * Charges one request, unless `isFree` (continues one that a gateway has ended). The caller must close the session.
     */
    readonly open: (customer: Customer, channel: StreamChannel, isFree?: boolean) => Effect.Effect<StreamSession, Refused>
    /** The next tick is free, because opening should have been. */
    readonly credit: (session: StreamSession) => void
    /** Idempotent. */
    readonly close: (session: StreamSession) => void
    /** Stops all charges, because the server is shutting down. */
    readonly drain: () => void
    readonly openSessions: () => number
  }
>()("@matchpoint/metering/StreamMeter") {
  static readonly layer = Layer.effect(
    StreamMeter,
    Effect.gen(function* () {
      const meter = yield* Meter
      const monotonic = monotonicOf(yield* Clock.Clock)
      const random = yield* Random.Random
      const runFork = Effect.runForkWith(yield* Effect.context())
      /** One group is charged each second. The group of a session is the second of its opening, modulo 15. */
      const due = Array.from({ length: TICK_SECONDS }, () => new Set<StreamSession>())
      let open = 0
      let draining = false
      let beaten = Math.floor(monotonic() / 1_000)

      const slotOf = ({ openedSecond }: StreamSession) => due[openedSecond % TICK_SECONDS]

      const charge = (session: StreamSession, lease: Lease): void => {
        session.charged(lease.period, meter.clock.now())
        meter.serve(lease, "tick")
        meter.receipt(session.receipt(null), session.customer, 1)
      }

      const refuse = (session: StreamSession, error: Refused): void => {
        slotOf(session)?.delete(session)
        try {
          session.holder?.refused(error, session)
        } catch (defect) {
          // Logged, so that the other streams are still charged.
          runFork(Effect.logError("a stream whose usage was rejected could not be ended", defect))
        }
      }

      const waiterOf = (session: StreamSession): Waiter => ({
        served: (lease) => {
          session.charging = false
          if (session.closed || draining) lease.release()
          else charge(session, lease)
        },
        refused: (error) => {
          session.charging = false
          if (!session.closed && !draining) refuse(session, error)
        },
      })

      const tick = (session: StreamSession): void => {
        if (session.charging) return
        if (session.isCredited) {
          session.isCredited = false
          return
        }
        const lease = meter.reserve(session.customer)
        if (lease !== undefined) {
          charge(session, lease)
        } else {
          session.charging = true
          meter.waitForTick(session.customer, waiterOf(session))
        }
      }

      const beat = Effect.sync(() => {
        const now = Math.floor(monotonic() / 1_000)
        // The loop covers at most the last 15 seconds, so that each session is charged once here after a suspension of
        // this process.
        for (let second = Math.max(beaten + 1, now - TICK_SECONDS + 1); second <= now && !draining; second++) {
          for (const session of due[second % TICK_SECONDS] ?? []) {
            if (second - session.openedSecond >= TICK_SECONDS) tick(session)
          }
        }
        beaten = Math.max(beaten, now)
      })
      const untilNextSecond = Effect.suspend(() => Effect.sleep(1_000 - (monotonic() % 1_000)))
      if (meter.enabled) {
        yield* Effect.andThen(untilNextSecond, beat).pipe(
          Effect.catchCause((cause) => Effect.logError("charging streams failed; continuing with the next second", cause)),
          Effect.forever,
          Effect.forkScoped,
        )
      }

      /** Without a lease, opening is free. */
      const begin = (customer: Customer, channel: StreamChannel, lease: Lease | undefined): StreamSession => {
        const session = new StreamSession({
          sessionId: uuidOf(random),
          customer,
          channel,
          openedAt: meter.clock.now(),
          openedSecond: Math.ceil(monotonic() / 1_000),
          period: lease?.period ?? meter.clock.period(),
        })
        if (lease === undefined) meter.receipt(session.receipt(null), customer, 0)
        else if (draining) lease.release()
        else charge(session, lease)
        slotOf(session)?.add(session)
        open += 1
        return session
      }

      return StreamMeter.of({
        open: (customer, channel, isFree = false) =>
          Effect.uninterruptibleMask((restore) => {
            if (isFree) return Effect.succeed(begin(customer, channel, undefined))
            const lease = meter.reserve(customer)
            if (lease !== undefined) return Effect.succeed(begin(customer, channel, lease))
            return Effect.map(restore(meter.acquire(customer)), (later) => begin(customer, channel, later))
          }),
        credit: (session) => {
          session.isCredited = true
        },
        close: (session) => {
          if (session.closed) return
          session.closed = true
          open -= 1
          slotOf(session)?.delete(session)
          for (const receipt of session.receipts(meter.clock.now())) meter.receipt(receipt, session.customer, 0)
        },
        drain: () => {
          draining = true
        },
        openSessions: () => open,
      })
    }),
  )
}
