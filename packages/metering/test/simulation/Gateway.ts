/**
 * One simulated gateway process: the real `Meter` and `StreamMeter`, on its own clock, with a connection to the ledger
 * that can fail.
 */
import type { Customer } from "@matchpoint/domain/accounts"
import type { LeaseReport, StreamReceipt } from "@matchpoint/domain/metering/leases"
import { Clock, Context, Effect, Exit, type Fiber, Layer, Scope } from "effect"
import type { Lease } from "../../src/Lease.ts"
import { Ledger } from "../../src/Ledger.ts"
import { Meter } from "../../src/Meter.ts"
import { StreamMeter } from "../../src/StreamMeter.ts"
import type { StreamSession } from "../../src/StreamSession.ts"

export interface GatewayHooks {
  readonly settle: (
    gateway: Gateway,
    leases: ReadonlyArray<LeaseReport>,
    receipts: ReadonlyArray<StreamReceipt>,
  ) => ReturnType<Ledger["Service"]["settle"]>
  readonly served: (lease: Lease, kind: "request" | "tick") => void
  readonly refused: (gateway: Gateway, error: { readonly error: { readonly code: string } }) => void
}

/** A clock whose time of day is wrong by `offset`. Time passes at the same rate everywhere. */
const skewed = (clock: Clock.Clock, skew: { offset: number }, uptime: bigint): Clock.Clock => ({
  currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe() + skew.offset,
  currentTimeMillis: Effect.sync(() => clock.currentTimeMillisUnsafe() + skew.offset),
  currentTimeNanosUnsafe: () => clock.currentTimeNanosUnsafe() + BigInt(skew.offset) * 1_000_000n,
  currentTimeNanos: Effect.sync(() => clock.currentTimeNanosUnsafe() + BigInt(skew.offset) * 1_000_000n),
  monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe() + uptime,
  monotonicTimeNanos: Effect.sync(() => clock.monotonicTimeNanosUnsafe() + uptime),
  sleep: (duration) => clock.sleep(duration),
})

export class Gateway {
  alive = true
  readonly leaseIds = new Set<string>()
  /** Reserved requests that are still being answered. */
  readonly held: Array<Lease> = []
  readonly waiting = new Set<Fiber.Fiber<unknown, unknown>>()
  /** Maximum number of reserved and waiting requests since the start. */
  peak = 0
  readonly sessions: Array<StreamSession> = []
  readonly skew: { offset: number }
  readonly #scope = Scope.makeUnsafe()
  readonly #hooks: GatewayHooks
  #parts: { readonly meter: Meter["Service"]; readonly streams: StreamMeter["Service"] } | undefined

  constructor(hooks: GatewayHooks, offset: number) {
    this.#hooks = hooks
    this.skew = { offset }
  }

  /** Undefined during the start. */
  get parts() {
    return this.alive ? this.#parts : undefined
  }

  readonly start = (uptime: bigint) =>
    Effect.gen({ self: this }, function* () {
      const clock = skewed(yield* Clock.Clock, this.skew, uptime)
      const ledger = Layer.succeed(
        Ledger,
        Ledger.of({
          settle: (leases, receipts) => {
            for (const { leaseId } of leases) this.leaseIds.add(leaseId)
            return this.alive ? this.#hooks.settle(this, leases, receipts) : Effect.never
          },
        }),
      )
      const counting = Layer.effect(
        Meter,
        Effect.map(Meter, (meter) =>
          Meter.of({
            ...meter,
            serve: (lease, kind) => {
              if (this.alive) this.#hooks.served(lease, kind)
              meter.serve(lease, kind)
            },
          }),
        ),
      ).pipe(Layer.provide(Meter.layer), Layer.provide(ledger))
      const services = yield* Layer.buildWithScope(Layer.provideMerge(StreamMeter.layer, counting), this.#scope).pipe(
        Effect.provideService(Clock.Clock, clock),
      )
      this.#parts = { meter: Context.get(services, Meter), streams: Context.get(services, StreamMeter) }
    })

  /** Simulates kill -9: all further output of the process is discarded. */
  kill() {
    this.alive = false
    return Effect.asVoid(Effect.forkDetach(Scope.close(this.#scope, Exit.void)))
  }

  stop() {
    return Scope.close(this.#scope, Exit.void)
  }

  /**
   * Sends up to `many` requests at once. Requests that the lease does not have wait; after `patient` of them, no more
   * are sent.
   */
  readonly request = (customer: Customer, many: number, patient: number) =>
    Effect.gen({ self: this }, function* () {
      const { parts } = this
      if (parts === undefined) return
      let waiting = 0
      for (let n = 0; n < many && waiting < patient; n++) {
        const lease = parts.meter.reserve(customer)
        if (lease !== undefined) {
          this.held.push(lease)
          this.#look()
          continue
        }
        waiting += 1
        const fiber = yield* Effect.forkDetach(
          Effect.uninterruptibleMask((restore) =>
            restore(parts.meter.acquire(customer)).pipe(
              Effect.map((later) => this.held.push(later)),
              Effect.catch((error) => Effect.sync(() => this.alive && this.#hooks.refused(this, error))),
            ),
          ),
        )
        this.waiting.add(fiber)
        fiber.addObserver(() => this.waiting.delete(fiber))
        if (fiber.pollUnsafe() !== undefined) this.waiting.delete(fiber)
        this.#look()
      }
    })

  readonly connect = (customer: Customer) =>
    Effect.gen({ self: this }, function* () {
      const { parts } = this
      if (parts === undefined) return
      const { streams } = parts
      yield* Effect.forkDetach(
        Effect.gen({ self: this }, function* () {
          const session = yield* streams.open(customer, "websocket")
          session.holder = {
            refused: (error) => {
              if (this.alive) this.#hooks.refused(this, error)
              streams.close(session)
            },
          }
          this.sessions.push(session)
        }).pipe(Effect.catch((error) => Effect.sync(() => this.alive && this.#hooks.refused(this, error)))),
      )
    })

  /** Answers `many` reserved requests, oldest first. `isServed` decides whether each is charged or released. */
  answer(many: number, isServed: () => boolean): void {
    for (const lease of this.held.splice(0, many)) {
      if (isServed()) this.parts?.meter.serve(lease, "request")
      else lease.release()
    }
  }

  disconnect(at: number): void {
    for (const session of this.sessions.splice(at, 1)) this.parts?.streams.close(session)
  }

  #look(): void {
    this.peak = Math.max(this.peak, this.held.length + this.waiting.size)
  }
}
