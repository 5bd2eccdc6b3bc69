/** The server side of the contract's Authentication: a key in either header makes a Caller. */
import { API_KEY_HEADER, Authentication, Caller } from "@matchpoint/contracts/http/Authentication"
import { Context, Effect, Layer, Option, Redacted } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import { GatewayConfig } from "../GatewayConfig.ts"
import { clientAddress } from "../http/clientAddress.ts"
import { Authenticator } from "./Authenticator.ts"

export const AuthenticationLayer = Layer.effect(
  Authentication,
  Effect.gen(function* () {
    const authenticator = yield* Authenticator
    const { behindProxy } = yield* GatewayConfig
    /**
     * Both schemes look for the key in both places: effect tries one after the other and tells the client what the last one said, which
     * must not be that a bearer token is missing where the key in the header could not be checked.
     */
    const asCaller = <E, R>(
      endpoint: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
      { credential }: { readonly credential: Redacted.Redacted<string> },
    ) =>
      Effect.contextWith((context: Context.Context<HttpServerRequest.HttpServerRequest>) => {
        const request = Context.get(context, HttpServerRequest.HttpServerRequest)
        const address = () => clientAddress(request.headers, Option.getOrUndefined(request.remoteAddress), behindProxy)
        const key = request.headers[API_KEY_HEADER]
        const secret = key === undefined || key === Redacted.value(credential) ? credential : Redacted.make(key, { label: "API key" })
        return Effect.flatMap(authenticator.authenticate(secret, address), (customer) => Effect.provideService(endpoint, Caller, customer))
      })
    return Authentication.of({ apiKey: asCaller, bearer: asCaller })
  }),
)
