/**
 * Redirects a request with a former slug of a team or player to the current slug, as `FormerSlug` in the API contract
 * describes. A former slug is looked up only if the endpoint has found nothing, so other requests need no second query.
 */
import { NotFound, type ServiceUnavailable } from "@matchpoint/contracts/http/errors"
import { FORMER_SLUG_STATUS, type FormerSlug } from "@matchpoint/contracts/http/FormerSlug"
import { one, reading } from "@matchpoint/game/edge/archive"
import { Effect, Option } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { FormerSlugs } from "../../archive/teams/FormerSlugs.ts"

/** The part of a request path with the type (team or player) and the id or slug. */
const SUBJECT = /\/cs2\/(team|player)s\/([^/?]+)/

export const slugRedirects = Effect.map(FormerSlugs, (formerSlugs) => {
  /** Undefined if the path contains no former slug. */
  const redirect = reading(function* () {
    const { url } = yield* HttpServerRequest.HttpServerRequest
    const [, type, reference] = SUBJECT.exec(url) ?? []
    if (reference === undefined) return undefined
    const current = yield* formerSlugs.currentOf(type === "team" ? "team" : "player", decodeURIComponent(reference))
    if (Option.isNone(current)) return undefined
    return movedTo(current.value, url.replace(SUBJECT, `/cs2/${type}s/${encodeURIComponent(current.value)}`))
  })

  return <Request, A, E, R>(answer: (request: Request) => Effect.Effect<A, E, R>) =>
    (
      request: Request,
    ): Effect.Effect<A | HttpServerResponse.HttpServerResponse, E | ServiceUnavailable, R | HttpServerRequest.HttpServerRequest> =>
      Effect.catchIf(answer(request), isNotFound<E>, (notFound) =>
        Effect.flatMap(redirect(), (moved) => (moved === undefined ? Effect.fail<E>(notFound) : Effect.succeed(moved))),
      )
})

const isNotFound = <E>(error: E): error is E & NotFound => error instanceof NotFound

const movedTo = (slug: string, location: string): HttpServerResponse.HttpServerResponse => {
  const body: (typeof FormerSlug)["Type"] = one({ slug, location })
  return HttpServerResponse.jsonUnsafe(body, { status: FORMER_SLUG_STATUS, headers: { location } })
}
