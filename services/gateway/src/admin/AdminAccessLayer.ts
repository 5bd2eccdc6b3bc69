/** The comparison of the admin token takes constant time, to prevent timing attacks. */
import { createHash, timingSafeEqual } from "node:crypto"
import { ADMIN_TOKEN_HEADER, AdminAccess } from "@matchpoint/contracts/http/admin/AdminApi"
import { InvalidAdminToken } from "@matchpoint/contracts/http/errors"
import { Effect, Layer, Redacted } from "effect"
import type { HttpServerResponse } from "effect/http"
import { AdminConfig } from "./AdminConfig.ts"

export const AdminAccessLayer = Layer.effect(
  AdminAccess,
  Effect.gen(function* () {
    const { token } = yield* AdminConfig
    const expected = token === null ? undefined : digest(token)

    const withToken = <E, R>(
      answering: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
      { credential }: { readonly credential: Redacted.Redacted<string> },
    ) => (expected !== undefined && timingSafeEqual(digest(credential), expected) ? answering : Effect.fail(refused))

    return AdminAccess.of({ adminToken: withToken, bearer: withToken })
  }),
)

const refused = InvalidAdminToken.because(
  `the admin token is missing or wrong; send it in the header ${ADMIN_TOKEN_HEADER} or as a bearer token`,
)

const digest = (token: Redacted.Redacted<string>): Buffer => createHash("sha256").update(Redacted.value(token)).digest()
