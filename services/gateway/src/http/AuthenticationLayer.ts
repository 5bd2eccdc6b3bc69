/** The server side of the contract's Authentication: a key in either header makes a Caller. */
import { Authentication, Caller } from "@matchpoint/contracts/http/Authentication"
import { Effect, Layer, type Redacted } from "effect"
import type { HttpServerResponse } from "effect/http"
import { Authenticator } from "../Authenticator.ts"

export const AuthenticationLayer = Layer.effect(
  Authentication,
  Effect.gen(function* () {
    const authenticator = yield* Authenticator
    const asCaller = <E, R>(
      endpoint: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
      { credential }: { readonly credential: Redacted.Redacted<string> },
    ) => Effect.flatMap(authenticator.authenticate(credential), (key) => Effect.provideService(endpoint, Caller, key))
    return Authentication.of({ apiKey: asCaller, bearer: asCaller })
  }),
)
