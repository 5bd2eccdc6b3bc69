/** Where a request comes from. */
import { Option } from "effect"
import type { HttpServerRequest } from "effect/http"

/** Behind a proxy the last entry of `x-forwarded-for` is what the proxy itself saw; those before it are the client's own words. */
export const clientAddress = (request: HttpServerRequest.HttpServerRequest, behindProxy: boolean): string | undefined => {
  const forwarded = behindProxy ? request.headers["x-forwarded-for"]?.split(",").at(-1)?.trim() : undefined
  return forwarded ?? Option.getOrUndefined(request.remoteAddress)
}
