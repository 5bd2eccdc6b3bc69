/** Checks API keys and feed tokens. Unexpected errors of calls are logged here, and the caller gets no details. */
import { API_KEY_HEADER, Caller } from "@matchpoint/contracts/http/Authentication"
import { FEED_TOKEN_HEADER } from "@matchpoint/contracts/http/feed/FactsApi"
import { FeedTokenRequired, KeyRequired } from "@matchpoint/contracts/rpc/access"
import { CallerUnknown, FeedTokenRefused, TryAgain } from "@matchpoint/contracts/rpc/errors"
import { FeedSource } from "@matchpoint/domain/feedTokens"
import { gameOfMatch, MatchId } from "@matchpoint/domain/ids"
import { GatewayConfig } from "@matchpoint/game/edge/GatewayConfig"
import { limitedAddress } from "@matchpoint/process/http/clientAddress"
import { Cause, Effect, Layer, Option, Redacted, Result, Schema } from "effect"
import { type Headers, HttpServerRequest } from "effect/http"
import { LiveGames } from "../live/LiveGames.ts"
import { Admission, type ClientAddress } from "../stream/Admission.ts"
import { unlessRefused } from "./CallsOfBody.ts"
import { CallTurns } from "./CallTurns.ts"
import { RpcConfig } from "./RpcConfig.ts"

/** The API key from the headers. Without one, an empty key, which the authenticator rejects. */
export const keyOf = (headers: Headers.Headers): Redacted.Redacted<string> => {
  const bearer = /^Bearer\s+(.+)$/i.exec(headers["authorization"] ?? "")?.[1]
  return Redacted.make((headers[API_KEY_HEADER] ?? bearer ?? "").trim(), { label: "API key" })
}

const KeyRequiredLayer = Layer.effect(
  KeyRequired,
  Effect.gen(function* () {
    const admission = yield* Admission
    const turnOf = yield* CallTurns
    return KeyRequired.of((call, { client, headers, rpc }) =>
      Effect.andThen(
        Effect.flatMap(Effect.serviceOption(HttpServerRequest.HttpServerRequest), (request) =>
          turnOf(Option.getOrElse(request, () => client)),
        ),
        unlessRefused(
          "key",
          Effect.flatMap(caller, (from) => admission.identify(from, keyOf(headers))).pipe(
            Effect.mapError((error) =>
              error.error.code === "INVALID_API_KEY"
                ? new CallerUnknown({ message: error.error.message })
                : new TryAgain({ message: error.error.message }),
            ),
          ),
        ),
      ).pipe(Effect.flatMap((key) => hideDefects(rpc._tag, Effect.provideService(call, Caller, key)))),
    )
  }),
)

const FeedTokenRequiredLayer = Layer.effect(
  FeedTokenRequired,
  Effect.gen(function* () {
    const { isFeedToken, notPermitted } = yield* RpcConfig
    const rules = yield* GatewayConfig
    const games = yield* LiveGames
    /** The fact creates its match. False for a malformed fact, which the handler rejects later. */
    const creates = (matchId: MatchId, fact: unknown): boolean => {
      const read = games.get(gameOfMatch(matchId))?.readFact(fact)
      return read !== undefined && Result.isSuccess(read) && read.success.creates
    }
    const refuse = (message: string) => Effect.fail(new FeedTokenRefused({ message }))
    return FeedTokenRequired.of((call, { headers, payload }) => {
      const token = headers[FEED_TOKEN_HEADER]
      if (isFeedToken === null) return refuse("this gateway accepts no facts; set MATCHPOINT_FEED_TOKEN for the server")
      if (token === undefined) return refuse(`the feed token is missing; send it in the header ${FEED_TOKEN_HEADER}`)
      const given = Redacted.make(token)
      return Effect.gen(function* () {
        const from = yield* caller
        const address = limitedAddress(from.headers, from.remoteAddress, rules)
        const known = Effect.catch(isFeedToken(given, address), refuse)
        yield* unlessRefused(
          "feedToken",
          Effect.flatMap(known, (isKnown) => (isKnown ? Effect.void : refuse("the feed token is unknown or revoked"))),
        )
        const fact = decodeFact(payload)
        const reason = Option.isNone(fact)
          ? undefined
          : yield* Effect.catch(
              notPermitted(given, address, { ...fact.value, creates: () => creates(fact.value.matchId, payload) }),
              Effect.succeed,
            )
        if (reason !== undefined) return yield* refuse(reason)
        return yield* call
      })
    })
  }),
)

/** If decoding fails, access is not checked here, because the handler will reject the fact. */
const decodeFact = Schema.decodeUnknownOption(Schema.Struct({ matchId: MatchId, source: FeedSource }))

/**
 * The client's address comes from the HTTP request or WebSocket handshake, not from the headers of the RPC call, which
 * the client can set freely.
 */
const caller = Effect.map(
  Effect.serviceOption(HttpServerRequest.HttpServerRequest),
  Option.match({
    onNone: (): ClientAddress => ({ headers: {}, remoteAddress: undefined }),
    onSome: ({ headers, remoteAddress }): ClientAddress => ({ headers, remoteAddress: Option.getOrUndefined(remoteAddress) }),
  }),
)

export const RpcAccess = Layer.mergeAll(KeyRequiredLayer, FeedTokenRequiredLayer)

const hideDefects = <A, E, R>(tag: string, call: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.catchCauseIf(call, Cause.hasDies, (cause) =>
    Effect.andThen(Effect.logError(`the call ${tag} failed`, cause), Effect.die("internal server error")),
  )
