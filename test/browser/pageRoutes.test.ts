/** Tests the pages over plain HTTP: which files are served and with which headers. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { PageRoutes } from "@matchpoint/service-web/PageRoutes"
import { UwsHttpServer } from "@matchpoint/uws/UwsHttpServer"
import { Effect, Layer, Redacted } from "effect"
import { HttpClient, HttpClientRequest, HttpRouter, HttpServerResponse } from "effect/http"

/** Catch-all route beside the pages, as in the standalone server. */
const NotFound = HttpRouter.add("*", "*", HttpServerResponse.empty({ status: 404 }))

const server = (demoKey: string | null) =>
  HttpRouter.serve(Layer.merge(PageRoutes.layer({ demoKey: demoKey === null ? null : Redacted.make(demoKey) }), NotFound), {
    disableLogger: true,
    disableListenLog: true,
  }).pipe(Layer.provideMerge(UwsHttpServer.layerTest()), Layer.provide(NodeServices.layer))

const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  HttpClient.execute(HttpClientRequest.get(path).pipe(HttpClientRequest.setHeaders(headers)))

const textOf = (path: string) => Effect.flatMap(get(path), (response) => response.text)

/** Paths of all files that a document links to or loads. Bundles reference none. */
const namedIn = (text: string): ReadonlyArray<string> => Array.from(text.matchAll(/(?:href|src)="(\/[^"]+)"/g), ([, path = ""]) => path)

/** Expected content type of a path. A path without an extension is a document. */
const typeOf = (path: string) => (path.includes(".") ? contentTypes[path.slice(path.lastIndexOf(".") + 1)] : "text/html; charset=utf-8")

const contentTypes: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
}

describe("PageRoutes", () => {
  it.layer(server("mp_shown_to_all"), { excludeTestServices: true })("with a demo key", (it) => {
    it.effect("serves the page and every file it references, each with its content type", () =>
      Effect.gen(function* () {
        const html = yield* get("/")
        assert.strictEqual(html.headers["content-type"], "text/html; charset=utf-8")
        const waiting = [...namedIn(yield* html.text)]
        const seen = new Set<string>()
        for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
          // `/docs` is served by the gateway, not by the pages.
          if (seen.has(path) || path === "/docs") continue
          seen.add(path)
          const file = yield* get(path)
          assert.strictEqual(file.status, 200, path)
          assert.strictEqual(file.headers["content-type"], typeOf(path), path)
          if (!path.includes(".")) waiting.push(...namedIn(yield* file.text))
        }
        const assets = ["archive.css", "archive.js", "mark.svg", "page.css", "page.js"].map((name) => `/assets/${name}`)
        assert.sameMembers([...seen], ["/search", ...assets])
      }),
    )

    it.effect("allows no inline code and no other origin", () =>
      Effect.gen(function* () {
        for (const path of ["/", "/search", "/teams/spirit", "/assets/page.js", "/assets/page.css", "/page-config.json"]) {
          const { headers } = yield* get(path)
          const policy = headers["content-security-policy"] ?? ""
          assert.include(policy, "default-src 'none'", path)
          assert.notMatch(policy, /unsafe|\*|http|data:/, path)
          assert.strictEqual(headers["x-content-type-options"], "nosniff", path)
          assert.strictEqual(headers["referrer-policy"], "no-referrer", path)
        }
        for (const path of ["/", "/search"]) assert.notMatch(yield* textOf(path), /<style|\sstyle=|<script(?![^>]*\ssrc=)|\son[a-z]+=/)
      }),
    )

    it.effect("answers 304 if the browser has the current file", () =>
      Effect.gen(function* () {
        const { headers } = yield* get("/assets/page.js")
        const etag = headers["etag"] ?? ""
        assert.match(etag, /^"[\w-]{22}"$/)
        for (const tags of [etag, `W/${etag}`, `"other", ${etag}`]) {
          const again = yield* get("/assets/page.js", { "if-none-match": tags })
          assert.strictEqual(again.status, 304, tags)
          assert.strictEqual(yield* again.text, "")
        }
        assert.strictEqual((yield* get("/assets/page.js", { "if-none-match": '"other"' })).status, 200)
      }),
    )

    it.effect("answers HEAD like GET without the body", () =>
      Effect.gen(function* () {
        for (const path of ["/", "/assets/page.js", "/page-config.json"]) {
          const [whole, head] = yield* Effect.all([get(path), HttpClient.head(path)])
          assert.strictEqual(head.status, 200, path)
          assert.strictEqual(head.headers["content-type"], whole.headers["content-type"])
          assert.strictEqual(head.headers["content-length"], String(new TextEncoder().encode(yield* whole.text).length))
          assert.strictEqual(yield* head.text, "")
        }
      }),
    )

    it.effect("answers 404 to every other path", () =>
      Effect.gen(function* () {
        for (const path of [
          "/assets/",
          "/assets/PageRoutes.ts",
          "/assets/..%2fPageRoutes.ts",
          "/assets/%2e%2e/PageRoutes.ts",
          "/page.html",
          "/assets/archive.html",
          "/assets/base.css",
          "/assets/page.ts",
          "/teams/",
          "/teams/one/two",
        ]) {
          assert.strictEqual((yield* get(path)).status, 404, path)
        }
      }),
    )

    it.effect("sends the page the API root and the demo key", () =>
      Effect.gen(function* () {
        const config = yield* get("/page-config.json")
        assert.deepStrictEqual(yield* config.json, { apiRoot: "/api/v1", demoKey: "mp_shown_to_all" })
        assert.strictEqual(config.headers["cache-control"], "no-store")
      }),
    )
  })

  it.layer(server(null), { excludeTestServices: true })("without a demo key", (it) => {
    it.effect("sends no demo key", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* (yield* get("/page-config.json")).json, { apiRoot: "/api/v1", demoKey: null })
      }),
    )
  })
})
