/**
 * Serves the live page and the pages of the archive: documents, bundled scripts and styles, and how they reach the API. Owns their security
 * headers. It knows no matches: everything that the pages show comes through the public API.
 */

import { createHash } from "node:crypto"
import { fileURLToPath } from "node:url"
import { API_ROOT } from "@matchpoint/contracts/http/apiRoot"
import { Effect, FileSystem, type Layer, Redacted, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { type Asset, bundledAssets, type PagesNotBundled } from "./bundle.ts"

export interface PageOptions {
  /**
   * Key of visitors who bring none. Everyone who can open the page can read it, so it is for development keys only. Null: the page asks for
   * a key.
   */
  readonly demoKey: Redacted.Redacted<string> | null
}

/** The installation is incomplete: a file of the pages is missing or cannot be read. */
export class PageFileMissing extends Schema.TaggedError<PageFileMissing>()("PageFileMissing", {
  file: Schema.String,
  cause: Schema.Defect(),
}) {}

const documentsDirectory = new URL("./documents/", import.meta.url)

/** Paths of the documents. Their scripts read what a path names. */
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

/** Nothing from other origins, nothing inline. `'self'` in connect-src includes the WebSocket of the same origin. */
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
 * Answers with the bytes, or with 304 if the browser has them. Files change with a release only, so revalidation is cheap. Most are bundled in
 * memory, which `HttpStaticServer` cannot serve.
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

/** HEAD has a route of its own: otherwise a catch-all route beside these would take it before GET. */
const readRoutes = (
  path: HttpRouter.PathInput,
  answer: Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest.HttpServerRequest>,
) => [HttpRouter.route("GET", path, answer), HttpRouter.route("HEAD", path, answer)]

/** Whether `If-None-Match` names the tag. Proxies that compress turn tags into weak ones. */
const holds = (header: string | undefined, etag: string): boolean =>
  header?.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag) ?? false

const configRoutes = (options: PageOptions) => {
  const config = { apiRoot: API_ROOT, demoKey: options.demoKey === null ? null : Redacted.value(options.demoKey) }
  const headers = { ...securityHeaders, "cache-control": "no-store" }
  return readRoutes("/page-config.json", Effect.succeed(HttpServerResponse.jsonUnsafe(config, { headers })))
}

export class PageRoutes {
  /** `/`, the pages of the archive, `/assets/*` and `/page-config.json`, with HEAD for each. */
  static readonly layer = (
    options: PageOptions,
  ): Layer.Layer<never, PageFileMissing | PagesNotBundled, HttpRouter.HttpRouter | FileSystem.FileSystem> =>
    HttpRouter.addAll(
      Effect.gen(function* () {
        const documentFiles = yield* Effect.forEach([...Object.keys(documents), "mark.svg"], readDocument)
        const assets = yield* bundledAssets
        return [...[...documentFiles, ...assets].flatMap(fileRoutes), ...configRoutes(options)]
      }),
    )
}
