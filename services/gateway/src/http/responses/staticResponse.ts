/**
 * Responses whose bytes change only with a release. Their entity tag is a hash of the bytes.
 *
 * Effect's `HttpStaticServer` is not used: it reads the file again for every request, builds the entity tag from the
 * modification time, which differs between installations, and its bodies are streams, so their compressed form cannot
 * be cached.
 */
import { hash } from "node:crypto"
import { namesTag } from "@matchpoint/game/edge/responses/entityTag"
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"

export interface FixedAnswer {
  /** Hash of the bytes, in characters that a URL path allows. */
  readonly digest: string
  readonly answer: Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest.HttpServerRequest>
}

/** `Cache-Control` for URLs whose content can change. */
const ASK_BEFORE_USE = "no-cache"
/** `Cache-Control` for URLs that contain the hash of their content. */
export const FOR_GOOD = "public, max-age=31536000, immutable"

/** Call this once per text and reuse the result, with which the compressed forms are cached. */
export const fixedAnswer = (text: string, contentType: string, cacheControl = ASK_BEFORE_USE): FixedAnswer =>
  answerWithDigest(text, digestOf(text), contentType, cacheControl)

/** Hash in characters that a URL path allows. */
export const digestOf = (text: string): string => hash("sha256", text, "base64url").slice(0, 22)

/** Texts that differ must have different digests. */
export const answerWithDigest = (text: string, digest: string, contentType: string, cacheControl = ASK_BEFORE_USE): FixedAnswer => {
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
