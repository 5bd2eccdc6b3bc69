/**
 * Charges open streams: one request at the connect and one for each full 15 seconds after it. Each charge is an event
 * (session, tick) that counts once, however often it is reported. While the server drains, nothing is charged. If this
 * process stood still, the pause is charged once.
 * Transports decide which session belongs to which connection.
 */
import type { Customer } from "@matchpoint/domain/accounts"
import type { StreamChannel } from "@matchpoint/domain/metering/leases"
import { Clock, Context, Effect, Layer, Random } from "effect"
import type { Waiter } from "./AccountMeter.ts"
import type { Lease } from "./Lease.ts"
import { Meter, type Refused } from "./Meter.ts"
import { monotonicOf } from "./monotonic.ts"
import { StreamSession } from "./StreamSession.ts"
import { uuidOf } from "./uuidOf.ts"

/**
 * Seconds of streaming that one request pays for. Charged at the end of the interval: never early, at most one second
 * late.
 */
export const TICK_SECONDS = 15

export class StreamMeter extends Context.Service<
  StreamMeter,
  {
    /** Opens a session and charges the connect. The session must be closed, whatever happens to the connection. */
    readonly open: (customer: Customer, channel: StreamChannel) => Effect.Effect<StreamSession, Refused>
    /** Closes a session. Repeated calls have no effect. */
    readonly close: (session: StreamSession) => void
    /** Stops all further charges. */
    readonly drain: () => void
    /** Number of sessions that are open. */
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
      /** Sessions, grouped by the second of the 15-second cycle in which they are charged. */
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
          // A stream that fails to end must not affect the charges of other streams.
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
        // If this process stood still for longer than an interval, each session is checked only once.
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

      const begin = (customer: Customer, channel: StreamChannel, lease: Lease): StreamSession => {
        const session = new StreamSession({
          sessionId: uuidOf(random),
          customer,
          channel,
          openedAt: meter.clock.now(),
          openedSecond: Math.ceil(monotonic() / 1_000),
          period: lease.period,
        })
        if (draining) lease.release()
        else charge(session, lease)
        slotOf(session)?.add(session)
        open += 1
        return session
      }

      return StreamMeter.of({
        open: (customer, channel) =>
          Effect.uninterruptibleMask((restore) => {
            const lease = meter.reserve(customer)
            if (lease !== undefined) return Effect.succeed(begin(customer, channel, lease))
            return Effect.map(restore(meter.acquire(customer)), (later) => begin(customer, channel, later))
          }),
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
