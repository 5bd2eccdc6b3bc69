/**
 * Security headers for HTML pages that do not set a content security policy themselves, mainly the API documentation.
 * The headers forbid content from other origins and forbid embedding the page in a frame.
 */
import { createHash } from "node:crypto"
import type { HttpServerResponse } from "effect/http"

const common = {
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
} as const

/**
 * Cache of security headers by page. The scripts of a page can have several megabytes, so their hashes are computed
 * only once.
 */
const made = new WeakMap<object, Readonly<Record<string, string>>>()

export const pageHeaders = (response: HttpServerResponse.HttpServerResponse): Readonly<Record<string, string>> => {
  if (response.headers["content-security-policy"] !== undefined) return common
  const known = made.get(response)
  if (known !== undefined) return known
  const headers = { ...common, "content-security-policy": policyOf(response) }
  made.set(response, headers)
  return headers
}

const inlineScript = /<script>([\s\S]*?)<\/script/g
const utf8 = new TextDecoder()

/**
 * Builds the content security policy. It allows the page's own inline scripts by hash. Inline styles need
 * `unsafe-inline`, because scripts generate them and their hashes are unknown.
 */
const policyOf = ({ body }: HttpServerResponse.HttpServerResponse): string => {
  const html = body._tag === "Uint8Array" ? (body.text ?? utf8.decode(body.body)) : ""
  const scripts = Array.from(html.matchAll(inlineScript), ([, script = ""]) => {
    return `'sha256-${createHash("sha256").update(script).digest("base64")}'`
  })
  return [
    "default-src 'none'",
    `script-src ${["'self'", ...scripts].join(" ")}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ")
}
