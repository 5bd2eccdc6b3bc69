/** Answers whose bytes change with a release only: they carry an entity tag of their bytes, and whoever names it gets 304. */
import { hash } from "node:crypto"
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { namesTag } from "./entityTag.ts"

export interface FixedAnswer {
  /** Of the bytes, in characters that may stand in a path. */
  readonly digest: string
  readonly answer: Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest.HttpServerRequest>
}

/** For addresses that stay while their content changes. */
const ASK_BEFORE_USE = "no-cache"
/** For addresses that name their content. */
export const FOR_GOOD = "public, max-age=31536000, immutable"

/** To be made once: the compressed forms live as long as it does. */
export const fixedAnswer = (text: string, contentType: string, cacheControl = ASK_BEFORE_USE): FixedAnswer => {
  const digest = hash("sha256", text, "base64url").slice(0, 22)
  const headers = { etag: `"${digest}"`, "cache-control": cacheControl }
  const whole = HttpServerResponse.text(text, { contentType, headers })
  const unchanged = HttpServerResponse.empty({ status: 304, headers })
  return {
    digest,
    answer: Effect.map(HttpServerRequest.HttpServerRequest, (request) =>
      namesTag(request.headers["if-none-match"], headers.etag) ? unchanged : whole,
    ),
  }
}
