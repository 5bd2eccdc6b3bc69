/**
 * Serves the live page and the pages of the archive: plain files, read once at the start, and the little they must be told to reach the
 * API. Owns their security headers. It knows nothing of matches; everything the pages show comes through the public API.
 */

import { createHash } from "node:crypto"
import { fileURLToPath } from "node:url"
import { API_ROOT } from "@matchpoint/contracts/http/MatchpointApi"
import { Effect, FileSystem, type Layer, Redacted, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"

export interface PageOptions {
  /**
   * The key the page uses when its visitor has none. Everyone who can open the page can read it: give one only where the keys are
   * known anyway (standalone on the embedded store). Null: the page asks for a key.
   */
  readonly demoKey: Redacted.Redacted<string> | null
}

/** The installation is broken: a file of the page is not there or can't be read. */
export class PageFileMissing extends Schema.TaggedError<PageFileMissing>()("PageFileMissing", {
  file: Schema.String,
  cause: Schema.Defect(),
}) {}

const assetsDirectory = new URL("./assets/", import.meta.url)

/** Documents stand on paths of their own; what a path names is their script's business. */
const documents: Readonly<Record<string, ReadonlyArray<HttpRouter.PathInput>>> = {
  "page.html": ["/"],
  "archive.html": ["/search", "/matches/:matchId", "/teams/:teamIdOrSlug", "/players/:playerIdOrSlug", "/events/:eventIdOrSlug"],
}

const contentTypes: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
}

/** Nothing from elsewhere, nothing inline; `'self'` in connect-src covers the WebSocket of the same origin. */
const securityHeaders = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
}

/** A file answers with its bytes, or with 304 where the browser has them. Files change with a release only, so asking is cheap. */
const fileRoutes = Effect.fn("PageRoutes.fileRoutes")(function* (file: string) {
  const files = yield* FileSystem.FileSystem
  const bytes = yield* files
    .readFile(fileURLToPath(new URL(file, assetsDirectory)))
    .pipe(Effect.mapError((cause) => new PageFileMissing({ file, cause })))
  const etag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`
  const headers = { ...securityHeaders, "cache-control": "no-cache", etag }
  const contentType = contentTypes[file.slice(file.lastIndexOf(".") + 1)] ?? "application/octet-stream"
  const whole = HttpServerResponse.uint8Array(bytes, { contentType, headers })
  const unchanged = HttpServerResponse.empty({ status: 304, headers })
  const answer = Effect.map(HttpServerRequest.HttpServerRequest, (request) =>
    holds(request.headers["if-none-match"], etag) ? unchanged : whole,
  )
  const paths = documents[file] ?? [`/assets/${file}` as const]
  return paths.flatMap((path) => readRoutes(path, answer))
})

/** HEAD by itself as well: a catch-all route beside ours would take it before the router thinks of GET. */
const readRoutes = (
  path: HttpRouter.PathInput,
  answer: Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest.HttpServerRequest>,
) => [HttpRouter.route("GET", path, answer), HttpRouter.route("HEAD", path, answer)]

/** Whether `If-None-Match` names the tag; proxies that compress turn tags into weak ones. */
const holds = (header: string | undefined, etag: string): boolean =>
  header?.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag) ?? false

const configRoutes = (options: PageOptions) => {
  const config = { apiRoot: API_ROOT, demoKey: options.demoKey === null ? null : Redacted.value(options.demoKey) }
  const headers = { ...securityHeaders, "cache-control": "no-store" }
  return readRoutes("/page-config.json", Effect.succeed(HttpServerResponse.jsonUnsafe(config, { headers })))
}

export class PageRoutes {
  /** `/`, the pages of the archive, `/assets/*` and `/page-config.json`, with HEAD for each. */
  static readonly layer = (options: PageOptions): Layer.Layer<never, PageFileMissing, HttpRouter.HttpRouter | FileSystem.FileSystem> =>
    HttpRouter.addAll(
      Effect.gen(function* () {
        const files = yield* FileSystem.FileSystem
        const names = yield* files
          .readDirectory(fileURLToPath(assetsDirectory))
          .pipe(Effect.mapError((cause) => new PageFileMissing({ file: "assets", cause })))
        const served = names.filter((name) => name.slice(name.lastIndexOf(".") + 1) in contentTypes)
        const routes = yield* Effect.forEach(served, fileRoutes)
        return [...routes.flat(), ...configRoutes(options)]
      }),
    )
}
