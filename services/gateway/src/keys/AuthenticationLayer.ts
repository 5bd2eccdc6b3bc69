/** Finds the customer of the API key in the header `x-api-key` or the bearer token. */
import { API_KEY_HEADER, Authentication, Caller } from "@matchpoint/contracts/http/Authentication"
import { GatewayConfig } from "@matchpoint/game/edge/GatewayConfig"
import { limitedAddress } from "@matchpoint/process/http/clientAddress"
import { countBodyFor } from "@matchpoint/uws/http/UwsServerRequest"
import { Context, Effect, Layer, Option, Redacted } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import { Authenticator } from "./Authenticator.ts"

export const AuthenticationLayer = Layer.effect(
  Authentication,
  Effect.gen(function* () {
    const authenticator = yield* Authenticator
    const rules = yield* GatewayConfig
    /**
     * Both security schemes accept the key in either header, because effect tries them one after the other and reports
     * only the error of the last one. Otherwise, if a key in `x-api-key` could not be checked, the error would be
     * "bearer token missing".
     */
    const asCaller = <E, R>(
      endpoint: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
      { credential }: { readonly credential: Redacted.Redacted<string> },
    ) =>
      Effect.contextWith((context: Context.Context<HttpServerRequest.HttpServerRequest>) => {
        const request = Context.get(context, HttpServerRequest.HttpServerRequest)
        const address = () => limitedAddress(request.headers, Option.getOrUndefined(request.remoteAddress), rules)
        const key = request.headers[API_KEY_HEADER]
        const secret = key === undefined || key === Redacted.value(credential) ? credential : Redacted.make(key, { label: "API key" })
        return Effect.flatMap(authenticator.authenticate(secret, address), (customer) => {
          countBodyFor(request, customer.keyId)
          return Effect.provideService(endpoint, Caller, customer)
        })
      })
    return Authentication.of({ apiKey: asCaller, bearer: asCaller })
  }),
)
