/**
 * Who may open a live channel: a valid key, whose plan has a connection left, from an address that does not knock too often. Both live
 * channels, replays included, count together.
 */
import { type InvalidApiKey, type ServiceUnavailable, TooManyConnections, TooManyHandshakes } from "@matchpoint/contracts/http/errors"
import type { Customer } from "@matchpoint/domain/accounts"
import { planTerms } from "@matchpoint/domain/plans"
import { TokenBuckets } from "@matchpoint/realtime/TokenBuckets"
import type { UpgradeRequest } from "@matchpoint/uws/UpgradeRequest"
import { Clock, Context, Effect, Layer } from "effect"
import { Authenticator } from "../Authenticator.ts"
import { GatewayConfig } from "../GatewayConfig.ts"
import { secretOf } from "./handshake.ts"

/** A burst may be this many seconds' worth. */
const BURST_SECONDS = 20
const REMEMBERED_ADDRESSES = 50_000

/** One open connection, counted. */
export interface Ticket {
  readonly key: Customer
  /** Called when the connection is over; more than once does no harm. */
  release(): void
}

/** Who knocks. */
export interface Knock {
  readonly headers: { readonly [name: string]: string | undefined }
  readonly remoteAddress: string | undefined
}

export type Refused = InvalidApiKey | ServiceUnavailable | TooManyConnections | TooManyHandshakes

export class Admission extends Context.Service<
  Admission,
  {
    /** Counts a handshake against its address. */
    readonly knock: (from: Knock) => Effect.Effect<void, TooManyHandshakes>
    /** Knocks, and checks the key of the request; the connection is not counted yet. */
    readonly identify: (request: UpgradeRequest, options: { readonly keyInQuery: boolean }) => Effect.Effect<Customer, Refused>
    /** Counts a connection. Undefined: the plan allows no more. */
    readonly enter: (key: Customer) => Ticket | undefined
    /** The same as an effect, for as long as `use` runs. */
    readonly during: (key: Customer) => <A, E, R>(use: Effect.Effect<A, E, R>) => Effect.Effect<A, E | TooManyConnections, R>
  }
>()("@matchpoint/service-gateway/stream/Admission") {
  static readonly layer = Layer.effect(
    Admission,
    Effect.gen(function* () {
      const authenticator = yield* Authenticator
      const { behindProxy, handshakesPerSecond } = yield* GatewayConfig
      const addresses = new TokenBuckets({
        perSecond: handshakesPerSecond,
        burst: handshakesPerSecond * BURST_SECONDS,
        capacity: REMEMBERED_ADDRESSES,
      })
      const open = new Map<string, number>()

      const enter = (key: Customer): Ticket | undefined => {
        const count = open.get(key.keyId) ?? 0
        if (count >= planTerms[key.plan].connections) return undefined
        open.set(key.keyId, count + 1)
        return new Counted(key, open)
      }

      const knock = Effect.fnUntraced(function* (from: Knock) {
        const now = yield* Clock.currentTimeMillis
        if (!addresses.take(addressOf(from, behindProxy), now)) return yield* TooManyHandshakes.from(handshakesPerSecond)
      })

      const tooMany = ({ plan }: Customer) => TooManyConnections.of(plan)

      return Admission.of({
        knock,
        identify: Effect.fnUntraced(function* (request, { keyInQuery }) {
          yield* knock(request)
          const key = yield* authenticator.authenticate(secretOf(request, { inQuery: keyInQuery }))
          if ((open.get(key.keyId) ?? 0) >= planTerms[key.plan].connections) return yield* tooMany(key)
          return key
        }),
        enter,
        during: (key) => (use) =>
          Effect.acquireUseRelease(
            Effect.suspend(() => Effect.fromNullishOr(enter(key))).pipe(Effect.mapError(() => tooMany(key))),
            () => use,
            (ticket) => Effect.sync(() => ticket.release()),
          ),
      })
    }),
  )
}

class Counted implements Ticket {
  readonly key: Customer
  #open: Map<string, number> | undefined

  constructor(key: Customer, open: Map<string, number>) {
    this.key = key
    this.#open = open
  }

  release(): void {
    const { keyId } = this.key
    const left = (this.#open?.get(keyId) ?? 1) - 1
    if (left > 0) this.#open?.set(keyId, left)
    else this.#open?.delete(keyId)
    this.#open = undefined
  }
}

/** Behind a proxy the last entry is what the proxy itself saw; those before it are the client's own words. */
const addressOf = (request: Knock, behindProxy: boolean): string => {
  const forwarded = behindProxy ? request.headers["x-forwarded-for"]?.split(",").at(-1)?.trim() : undefined
  return forwarded ?? request.remoteAddress ?? "unknown"
}
