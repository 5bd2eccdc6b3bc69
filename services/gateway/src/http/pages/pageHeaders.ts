/** What browsers are told about pages (HTML) that say nothing themselves, the API's documentation above all: nothing foreign, no frames. */
import { createHash } from "node:crypto"
import type { HttpServerResponse } from "effect/http"

const common = {
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
} as const

/** Hashing megabytes of scripts is done once for a page that is made once. */
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

/** Scripts of the page itself run, by their hash. Its styles are made by scripts, which no hash can know. */
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
