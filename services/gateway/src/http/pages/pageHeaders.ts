/**
 * Security headers for HTML pages without their own, mainly the API documentation. They forbid content from other
 * origins and embedding in a frame.
 */
import { createHash } from "node:crypto"
import type { HttpServerResponse } from "effect/http"

const common = {
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
} as const

/** Headers by page. Its scripts can have several megabytes, so their hashes are computed once. */
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
 * Allows the page's own inline scripts by hash. Inline styles need `unsafe-inline`, because scripts generate them and
 * their hashes are unknown.
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
