/** The server side of the RPC's access rules. A defect behind them is logged here and told as no more than that. */
import { API_KEY_HEADER, Caller } from "@matchpoint/contracts/http/Authentication"
import { FEED_TOKEN_HEADER } from "@matchpoint/contracts/http/feed/FactsApi"
import { FeedTokenRequired, KeyRequired } from "@matchpoint/contracts/rpc/access"
import { CallerUnknown, FeedTokenRefused, TryAgain } from "@matchpoint/contracts/rpc/errors"
import { Cause, Effect, Layer, Option, Redacted } from "effect"
import { type Headers, HttpServerRequest } from "effect/http"
import { Admission, type Knock } from "../stream/Admission.ts"
import { unlessRefused } from "./CallsOfBody.ts"
import { RpcConfig } from "./RpcConfig.ts"

/** Empty where there is none: the authenticator refuses it. */
export const keyOf = (headers: Headers.Headers): Redacted.Redacted<string> => {
  const bearer = /^Bearer\s+(.+)$/i.exec(headers["authorization"] ?? "")?.[1]
  return Redacted.make((headers[API_KEY_HEADER] ?? bearer ?? "").trim(), { label: "API key" })
}

const KeyRequiredLayer = Layer.effect(
  KeyRequired,
  Effect.gen(function* () {
    const admission = yield* Admission
    return KeyRequired.of((call, { headers, rpc }) =>
      unlessRefused(
        "key",
        Effect.flatMap(caller, (from) => admission.identify(from, keyOf(headers))).pipe(
          Effect.mapError((error) =>
            error.error.code === "INVALID_API_KEY"
              ? new CallerUnknown({ message: error.error.message })
              : new TryAgain({ message: error.error.message }),
          ),
        ),
      ).pipe(Effect.flatMap((key) => hideDefects(rpc._tag, Effect.provideService(call, Caller, key)))),
    )
  }),
)

const FeedTokenRequiredLayer = Layer.effect(
  FeedTokenRequired,
  Effect.gen(function* () {
    const { isFeedToken } = yield* RpcConfig
    const refuse = (message: string) => Effect.fail(new FeedTokenRefused({ message }))
    return FeedTokenRequired.of((call, { headers }) => {
      const token = headers[FEED_TOKEN_HEADER]
      if (isFeedToken === null) return refuse("this gateway takes no facts")
      if (token === undefined) return refuse(`no feed token: send it in the header ${FEED_TOKEN_HEADER}`)
      const checked = Effect.flatMap(isFeedToken(Redacted.make(token)), (right) =>
        right ? Effect.void : refuse("this is not the feed token"),
      )
      return Effect.andThen(unlessRefused("feedToken", checked), call)
    })
  }),
)

/** Of the request or handshake, not of the call, whose headers are its own words. */
const caller = Effect.map(
  Effect.serviceOption(HttpServerRequest.HttpServerRequest),
  Option.match({
    onNone: (): Knock => ({ headers: {}, remoteAddress: undefined }),
    onSome: ({ headers, remoteAddress }): Knock => ({ headers, remoteAddress: Option.getOrUndefined(remoteAddress) }),
  }),
)

export const RpcAccess = Layer.mergeAll(KeyRequiredLayer, FeedTokenRequiredLayer)

const hideDefects = <A, E, R>(tag: string, call: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.catchCauseIf(call, Cause.hasDies, (cause) =>
    Effect.andThen(Effect.logError(`the call ${tag} failed`, cause), Effect.die("something went wrong on our side")),
  )
