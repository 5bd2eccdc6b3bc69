/**
 * Meters RPC calls like HTTP requests: entitlement, rate, quota. A successful call costs one request. A stream is
 * billed like any other, and ends with a typed error if it may not continue.
 */
import { Caller } from "@matchpoint/contracts/http/Authentication"
import { CallerUnknown, LimitReached, NotEntitled, TryAgain } from "@matchpoint/contracts/rpc/errors"
import type { ChannelGame } from "@matchpoint/contracts/stream/streamPaths"
import type { Customer } from "@matchpoint/domain/accounts"
import type { GameName } from "@matchpoint/domain/ids"
import { entitlementError } from "@matchpoint/metering/entitlements"
import { Meter } from "@matchpoint/metering/Meter"
import { RateLimits } from "@matchpoint/metering/RateLimits"
import { Context, Effect, Exit, Layer, type Scope } from "effect"
import { Admission, type NotOpened } from "../stream/Admission.ts"
import { rpcChannel } from "../stream/channels.ts"
import type { StreamEnd } from "../stream/streamEnds.ts"
import { unlessRefused } from "./CallsOfBody.ts"

export type RpcRefusal = NotEntitled | LimitReached | TryAgain

/** True if each request has its own connection, as over HTTP. Then each stream counts towards the plan's connection limit. */
export class IsOwnConnection extends Context.Reference<boolean>("@matchpoint/service-gateway/rpc/RpcMetering/IsOwnConnection", {
  defaultValue: () => false,
}) {}

/** @effect-expect-leaking Caller */
export class RpcMetering extends Context.Service<
  RpcMetering,
  {
    /** Charges one request if the call succeeds. `game` is undefined for a call that concerns no game or several games. */
    readonly call: <A, E, R>(game: ChannelGame, work: Effect.Effect<A, E, R>) => Effect.Effect<A, E | RpcRefusal, R | Caller>
    /** Stays open until the scope closes. `ended` waits until the stream must end, then fails with the reason. */
    readonly stream: (
      game: GameName,
    ) => Effect.Effect<{ readonly ended: Effect.Effect<never, CallerUnknown | LimitReached | TryAgain> }, RpcRefusal, Caller | Scope.Scope>
  }
>()("@matchpoint/service-gateway/rpc/RpcMetering") {
  static readonly layer = Layer.effect(
    RpcMetering,
    Effect.gen(function* () {
      const admission = yield* Admission
      const meter = yield* Meter
      const rates = yield* RateLimits

      const enter = Effect.fnUntraced(function* (key: Customer, game: ChannelGame) {
        const refused = entitlementError(key, rpcChannel(game, true))
        if (refused !== undefined) return yield* refused
        if (!rates.take(key)) yield* rates.acquire(key)
      })

      /** Runs a check whose failure becomes an RPC error. */
      const allowed = <A, R>(step: Effect.Effect<A, HttpRefusal, R>) => unlessRefused("limits", Effect.mapError(step, rpcRefusalOf))

      const reserve = (key: Customer) =>
        Effect.suspend(() => {
          const lease = meter.reserve(key)
          return lease === undefined ? meter.acquire(key) : Effect.succeed(lease)
        })

      return RpcMetering.of({
        call: (game, work) =>
          Effect.flatMap(Caller, (key) => {
            const entered = allowed(enter(key, game))
            if (!meter.enabled) return Effect.andThen(entered, work)
            return Effect.andThen(
              entered,
              Effect.acquireUseRelease(
                allowed(reserve(key)),
                () => work,
                (lease, exit) =>
                  Effect.sync(() => {
                    if (Exit.isSuccess(exit)) meter.serve(lease, "request")
                    else lease.release()
                  }),
              ),
            )
          }),
        stream: Effect.fnUntraced(function* (game) {
          const key = yield* Caller
          const held = yield* allowed(admission.hold(key, rpcChannel(game, yield* IsOwnConnection)))
          return { ended: Effect.mapError(held.ended, rpcErrorOf) }
        }),
      })
    }),
  )
}

const CONNECTIONS_RETRY_SECONDS = 5

type HttpRefusal = NotOpened | Effect.Error<ReturnType<RateLimits["Service"]["acquire"]>>

const rpcRefusalOf = ({ error }: HttpRefusal): RpcRefusal => {
  const { message } = error
  switch (error.code) {
    case "PLAN_REQUIRED":
    case "GAME_NOT_INCLUDED":
      return new NotEntitled({ code: error.code, message })
    case "SERVICE_UNAVAILABLE":
      return new TryAgain({ message })
    case "TOO_MANY_CONNECTIONS":
      return new LimitReached({ limit: "connections", message, retryAfterSeconds: CONNECTIONS_RETRY_SECONDS })
    case "RATE_LIMIT_EXCEEDED":
      return new LimitReached({ limit: error.details.limit, message, retryAfterSeconds: error.details.retryAfterSeconds })
  }
}

const rpcErrorOf = (ending: StreamEnd): CallerUnknown | LimitReached | TryAgain => {
  switch (ending._tag) {
    case "QuotaUsedUp":
      return new LimitReached({ limit: "requests_per_month", message: ending.message, retryAfterSeconds: ending.retryAfterSeconds })
    case "Unmetered":
      return new TryAgain({ message: ending.message })
    case "KeyEnded":
      return new CallerUnknown({ message: "the API key was revoked or has expired; use another one" })
    case "PlanChanged":
      return new TryAgain({ message: "your plan has changed; follow the match again from your last frame to use its new terms" })
  }
}
