/**
 * Open streams and what they cost: one request at the connect and one for every full 15 seconds after it, each an event (session, tick)
 * that counts once however often it is told. Nothing is charged while the server drains, nor twice for a time in which this process
 * stood still. Which connection a session belongs to is the transports' business.
 */
import type { Customer } from "@matchpoint/domain/accounts"
import type { StreamChannel } from "@matchpoint/domain/metering/leases"
import type { Period } from "@matchpoint/domain/metering/periods"
import { Clock, Context, Effect, Layer, Random } from "effect"
import type { Waiter } from "./AccountMeter.ts"
import type { Lease } from "./Lease.ts"
import { Meter, type Refused } from "./Meter.ts"
import { uuidOf } from "./uuidOf.ts"

/** Seconds that one request pays for. */
export const TICK_SECONDS = 15

/** A process that stood still for longer looks at each session once, and charges one tick. */
const BEAT = "1 second"

export class StreamSession {
  readonly sessionId: string
  readonly customer: Customer
  readonly channel: StreamChannel
  /** Ledger's clock, epoch ms. */
  readonly openedAt: number
  /** Second of the beat in which it was opened. */
  readonly openedBeat: number
  period: Period
  /** Charged in `period`. */
  ticks = 0
  lastTickAt: number
  closed = false
  /** The quota is used up, or usage cannot be metered: the stream must end and say why. Called once, not after `close`. */
  onRefused: ((error: Refused) => void) | undefined

  constructor(options: {
    readonly sessionId: string
    readonly customer: Customer
    readonly channel: StreamChannel
    readonly openedAt: number
    readonly openedBeat: number
    readonly period: Period
  }) {
    this.sessionId = options.sessionId
    this.customer = options.customer
    this.channel = options.channel
    this.openedAt = options.openedAt
    this.openedBeat = options.openedBeat
    this.period = options.period
    this.lastTickAt = options.openedAt
  }
}

export class StreamMeter extends Context.Service<
  StreamMeter,
  {
    /** Charges the connect. The session must be closed, whatever becomes of the connection. */
    readonly open: (customer: Customer, channel: StreamChannel) => Effect.Effect<StreamSession, Refused>
    /** More than once does no harm. */
    readonly close: (session: StreamSession) => void
    /** From now on nothing is charged. */
    readonly drain: () => void
    readonly openSessions: () => number
  }
>()("@matchpoint/metering/StreamMeter") {
  static readonly layer = Layer.effect(
    StreamMeter,
    Effect.gen(function* () {
      const meter = yield* Meter
      const clock = yield* Clock.Clock
      const random = yield* Random.Random
      const beatNow = () => Number(clock.currentTimeNanosUnsafe() / 1_000_000_000n)
      /** Sessions by the second of their interval in which they are charged. */
      const due = Array.from({ length: TICK_SECONDS }, () => new Set<StreamSession>())
      let draining = false
      let beaten = beatNow()

      const receiptOf = (session: StreamSession) => ({
        sessionId: session.sessionId,
        accountId: session.customer.accountId,
        keyId: session.customer.keyId,
        period: session.period,
        channel: session.channel,
        openedAt: session.openedAt,
        ticks: session.ticks,
        lastTickAt: session.lastTickAt,
        closedAt: session.closed ? meter.clock.now() : null,
      })

      const charge = (session: StreamSession, lease: Lease): void => {
        if (session.period !== lease.period) {
          session.period = lease.period
          session.ticks = 0
        }
        session.ticks += 1
        session.lastTickAt = meter.clock.now()
        meter.serve(lease, "tick")
        meter.receipt(receiptOf(session), session.customer)
      }

      const tick = (session: StreamSession): void => {
        const lease = meter.reserve(session.customer)
        if (lease !== undefined) {
          charge(session, lease)
          return
        }
        const waiter: Waiter = {
          served: (later) => {
            if (session.closed || draining) later.release()
            else charge(session, later)
          },
          refused: (error) => {
            if (!session.closed && !draining) session.onRefused?.(error)
          },
        }
        meter.wait(session.customer, waiter)
      }

      const beat = Effect.sync(() => {
        const now = beatNow()
        for (let second = Math.max(beaten + 1, now - TICK_SECONDS + 1); second <= now; second++) {
          if (draining) break
          for (const session of due[second % TICK_SECONDS] ?? []) {
            if (second - session.openedBeat >= TICK_SECONDS) tick(session)
          }
        }
        beaten = Math.max(beaten, now)
      })
      if (meter.enabled) yield* Effect.delay(beat, BEAT).pipe(Effect.forever, Effect.forkScoped)

      return StreamMeter.of({
        open: Effect.fnUntraced(function* (customer, channel) {
          const openedBeat = beatNow()
          const session = new StreamSession({
            sessionId: uuidOf(random),
            customer,
            channel,
            openedAt: meter.clock.now(),
            openedBeat,
            period: meter.clock.period(),
          })
          if (!meter.enabled) return session
          const lease = meter.reserve(customer) ?? (yield* meter.acquire(customer))
          charge(session, lease)
          due[openedBeat % TICK_SECONDS]?.add(session)
          return session
        }),
        close: (session) => {
          if (session.closed) return
          session.closed = true
          due[session.openedBeat % TICK_SECONDS]?.delete(session)
          if (meter.enabled) meter.receipt(receiptOf(session), session.customer)
        },
        drain: () => {
          draining = true
        },
        openSessions: () => due.reduce((sum, sessions) => sum + sessions.size, 0),
      })
    }),
  )
}
