/**
 * The live page and the archive pages: documents, scripts and styles, security headers, and the configuration through
 * which the pages reach the API. All data come through the public API.
 */
import { createHash } from "node:crypto"
import { fileURLToPath } from "node:url"
import { API_ROOT } from "@matchpoint/contracts/http/apiRoot"
import { pathsOfPages } from "@matchpoint/games/pathsOfPages"
import { Effect, FileSystem, type Layer, Redacted, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { type Asset, assets, type PagesNotBuilt } from "./assets.ts"

export interface PageOptions {
  /**
   * Key for visitors who have not entered one. Everyone who can open the page can read it, so it must be a development
   * key. If `null`, the page asks for a key.
   */
  readonly demoKey: Redacted.Redacted<string> | null
}

/** A file of the web pages is missing or cannot be read, so the installation is incomplete. */
export class PageFileMissing extends Schema.TaggedError<PageFileMissing>()("PageFileMissing", {
  file: Schema.String,
  cause: Schema.Defect(),
}) {}

const documentsDirectory = new URL("./documents/", import.meta.url)

/** URL paths of each HTML document. Its script reads from the path what to show. */
const documents: Readonly<Record<string, ReadonlyArray<HttpRouter.PathInput>>> = {
  "page.html": ["/"],
  "archive.html": ["/search", ...pathsOfPages],
}

const contentTypes: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
}

/**
 * The policy allows nothing from other origins and nothing inline. `'self'` in connect-src includes WebSocket
 * connections to the page's own origin.
 */
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

const readDocument = Effect.fnUntraced(function* (name: string) {
  const files = yield* FileSystem.FileSystem
  const bytes = yield* files
    .readFile(fileURLToPath(new URL(name, documentsDirectory)))
    .pipe(Effect.mapError((cause) => new PageFileMissing({ file: name, cause })))
  return { name, bytes }
})

/**
 * Files change only with a release, so browsers normally revalidate them (304) without a new download.
 * `HttpStaticServer` is not used, because most of the files exist only in memory.
 */
const fileRoutes = ({ bytes, name }: Asset) => {
  const etag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`
  const headers = { ...securityHeaders, "cache-control": "no-cache", etag }
  const contentType = contentTypes[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream"
  const whole = HttpServerResponse.uint8Array(bytes, { contentType, headers })
  const unchanged = HttpServerResponse.empty({ status: 304, headers })
  const answer = Effect.map(HttpServerRequest.HttpServerRequest, (request) =>
    holds(request.headers["if-none-match"], etag) ? unchanged : whole,
  )
  const paths = documents[name] ?? [`/assets/${name}` as const]
  return paths.flatMap((path) => readRoutes(path, answer))
}

/**
 * HEAD needs an explicit route, because a catch-all route in the same router would match HEAD requests before the GET
 * route does.
 */
const readRoutes = (
  path: HttpRouter.PathInput,
  answer: Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest.HttpServerRequest>,
) => [HttpRouter.route("GET", path, answer), HttpRouter.route("HEAD", path, answer)]

/** Weak ETags match too, because proxies that compress responses replace strong ETags with weak ones. */
const holds = (header: string | undefined, etag: string): boolean =>
  header?.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag) ?? false

const configRoutes = (options: PageOptions) => {
  const config = { apiRoot: API_ROOT, demoKey: options.demoKey === null ? null : Redacted.value(options.demoKey) }
  const headers = { ...securityHeaders, "cache-control": "no-store" }
  return readRoutes("/page-config.json", Effect.succeed(HttpServerResponse.jsonUnsafe(config, { headers })))
}

export class PageRoutes {
  /** `/`, the archive pages, `/assets/*` and `/page-config.json`. */
  static readonly layer = (
    options: PageOptions,
  ): Layer.Layer<never, PageFileMissing | PagesNotBuilt, HttpRouter.HttpRouter | FileSystem.FileSystem> =>
    HttpRouter.addAll(
      Effect.gen(function* () {
        const documentFiles = yield* Effect.forEach([...Object.keys(documents), "mark.svg"], readDocument)
        return [...[...documentFiles, ...(yield* assets)].flatMap(fileRoutes), ...configRoutes(options)]
      }),
    )
}
