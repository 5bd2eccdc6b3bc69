/** The server side of the contract's Authentication: a key in either header makes a Caller. */
import { API_KEY_HEADER, Authentication, Caller } from "@matchpoint/contracts/http/Authentication"
import { Context, Effect, Layer, Option, Redacted } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import { Authenticator } from "../Authenticator.ts"
import { GatewayConfig } from "../GatewayConfig.ts"
import { clientAddress } from "./clientAddress.ts"

export const AuthenticationLayer = Layer.effect(
  Authentication,
  Effect.gen(function* () {
    const authenticator = yield* Authenticator
    const { behindProxy } = yield* GatewayConfig
    /**
     * Both schemes look for the key in both places: effect tries one after the other and tells the client what the last one said, which
     * must not be that a bearer token is missing where the key in the header could not be checked.
     */
    const asCaller = <E, R>(endpoint: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
      Effect.contextWith((context: Context.Context<HttpServerRequest.HttpServerRequest>) => {
        const request = Context.get(context, HttpServerRequest.HttpServerRequest)
        const address = () => clientAddress(request.headers, Option.getOrUndefined(request.remoteAddress), behindProxy)
        return Effect.flatMap(authenticator.authenticate(secretOf(request.headers), address), (customer) =>
          Effect.provideService(endpoint, Caller, customer),
        )
      })
    return Authentication.of({ apiKey: asCaller, bearer: asCaller })
  }),
)

const bearer = /^Bearer +(.+)$/i

const secretOf = (headers: { readonly [name: string]: string | undefined }): Redacted.Redacted<string> => {
  const key = headers[API_KEY_HEADER] ?? bearer.exec(headers["authorization"] ?? "")?.[1] ?? ""
  return Redacted.make(key.trim(), { label: "API key" })
}
