/**
 * Who may open a live channel: a valid key, whose plan has a connection left, from an address that does not knock too often. Both live
 * channels, replays included, count together.
 */
import { type ServiceUnavailable, TooManyConnections, TooManyHandshakes, type Unauthorized } from "@matchpoint/contracts/http/errors"
import { liveLimits } from "@matchpoint/domain/plans"
import { TokenBuckets } from "@matchpoint/realtime/TokenBuckets"
import type { ApiKey } from "@matchpoint/store/ApiKeys"
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
  readonly key: ApiKey
  /** Called when the connection is over; more than once does no harm. */
  release(): void
}

export type Refused = Unauthorized | ServiceUnavailable | TooManyConnections | TooManyHandshakes

export class Admission extends Context.Service<
  Admission,
  {
    /** The key of the request, checked; nothing is counted yet. */
    readonly identify: (request: UpgradeRequest, options: { readonly keyInQuery: boolean }) => Effect.Effect<ApiKey, Refused>
    /** Counts a connection. Undefined: the plan allows no more. */
    readonly enter: (key: ApiKey) => Ticket | undefined
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

      const enter = (key: ApiKey): Ticket | undefined => {
        const count = open.get(key.keyId) ?? 0
        if (count >= liveLimits[key.plan].connections) return undefined
        open.set(key.keyId, count + 1)
        return new Counted(key, open)
      }

      return Admission.of({
        identify: Effect.fnUntraced(function* (request, { keyInQuery }) {
          const now = yield* Clock.currentTimeMillis
          if (!addresses.take(addressOf(request, behindProxy), now)) return yield* TooManyHandshakes.from(handshakesPerSecond)
          const key = yield* authenticator.authenticate(secretOf(request, { inQuery: keyInQuery }))
          const { connections } = liveLimits[key.plan]
          if ((open.get(key.keyId) ?? 0) >= connections) return yield* TooManyConnections.of(key.plan, connections)
          return key
        }),
        enter,
      })
    }),
  )
}

class Counted implements Ticket {
  readonly key: ApiKey
  #open: Map<string, number> | undefined

  constructor(key: ApiKey, open: Map<string, number>) {
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
const addressOf = (request: UpgradeRequest, behindProxy: boolean): string => {
  const forwarded = behindProxy ? request.headers["x-forwarded-for"]?.split(",").at(-1)?.trim() : undefined
  return forwarded ?? request.remoteAddress ?? "unknown"
}
