/** Response to a request that matches no route: the path is unknown, or it does not allow the method. */
import { body, errorStatus } from "@matchpoint/contracts/http/errors"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { PathsOfApis } from "./KnownPaths.ts"

/** Most paths that a message suggests. */
const MAX_BELOW = 12

/** Maximum length of a path or method in a message, in characters. */
const TOLD_LENGTH = 200

/**
 * Returns the 404 or 405 response. The response does not repeat the query of the URL, because a query may contain keys.
 */
export const notFound =
  (paths: PathsOfApis) =>
  (request: HttpServerRequest.HttpServerRequest): HttpServerResponse.HttpServerResponse => {
    const method = request.method.slice(0, TOLD_LENGTH)
    const path = request.url.split("?", 1)[0] ?? ""
    const told = path.slice(0, TOLD_LENGTH)
    const allow = paths.allowedAt(path)
    // If the contract contains the path and method but no route exists, this server does not offer that API. For example,
    // the admin API is missing if no token is configured. Such requests are answered with 404.
    if (allow === undefined || allow.split(", ").includes(method)) {
      const below = allow === undefined ? paths.below(path).slice(0, MAX_BELOW) : []
      const advice = below.length === 0 ? "/docs describes every endpoint" : `below it are ${below.join(", ")}`
      const message = `no endpoint matches ${method} ${told}; ${advice}`
      return HttpServerResponse.jsonUnsafe(body("NOT_FOUND", message), { status: errorStatus.NOT_FOUND })
    }
    const message = `${told} does not allow ${method}; it allows ${allow}`
    return HttpServerResponse.jsonUnsafe(body("METHOD_NOT_ALLOWED", message), {
      status: errorStatus.METHOD_NOT_ALLOWED,
      headers: { allow },
    })
  }
