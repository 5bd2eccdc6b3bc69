/** The server side of the contract's ConditionalGet. Whether a tag is named is entityTag's business. */
import { hash } from "node:crypto"
import { ConditionalGet } from "@matchpoint/contracts/http/ConditionalGet"
import { Effect, Layer } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { namesTag } from "./entityTag.ts"

/** Of the archive: kept by the caller alone, and asked for again before it is used. */
const CACHE_CONTROL = "private, no-cache"

export const ConditionalGetLayer = Layer.succeed(ConditionalGet, (answering) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
    Effect.map(answering, (response) => {
      if (response.status !== 200 || response.body._tag !== "Uint8Array") return response
      const etag = `"${hash("sha1", response.body.body, "base64url")}"`
      const headers = { etag, "cache-control": CACHE_CONTROL }
      return namesTag(request.headers["if-none-match"], etag)
        ? HttpServerResponse.empty({ status: 304, headers })
        : HttpServerResponse.setHeaders(response, headers)
    }),
  ),
)
