/** Response for an unknown path, or a method that it does not allow. */
import { body, errorStatus } from "@matchpoint/contracts/http/errors"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { PathsOfApis } from "./KnownPaths.ts"

/** Suggested paths in a message. */
const MAX_BELOW = 12

/** Characters of a path or method in a message. */
const TOLD_LENGTH = 200

/** 404 or 405. Does not repeat the query of the URL, which may contain keys. */
export const notFound =
  (paths: PathsOfApis) =>
  (request: HttpServerRequest.HttpServerRequest): HttpServerResponse.HttpServerResponse => {
    const method = request.method.slice(0, TOLD_LENGTH)
    const path = request.url.split("?", 1)[0] ?? ""
    const told = path.slice(0, TOLD_LENGTH)
    const allow = paths.allowedAt(path)
    // The contract has the path and method, but this server does not offer that API: for example, the admin API without
    // a configured token. Such requests get 404.
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
