/** The page as plain HTTP: what is served, with which headers, and what isn't. */
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { PageRoutes } from "@matchpoint/service-web/PageRoutes"
import { UwsHttpServer } from "@matchpoint/uws/UwsHttpServer"
import { Effect, Layer, Redacted } from "effect"
import { HttpClient, HttpClientRequest, HttpRouter, HttpServerResponse } from "effect/http"

/** As the standalone has it: a catch-all beside the page. */
const NotFound = HttpRouter.add("*", "*", HttpServerResponse.empty({ status: 404 }))

const server = (demoKey: string | null) =>
  HttpRouter.serve(Layer.merge(PageRoutes.layer({ demoKey: demoKey === null ? null : Redacted.make(demoKey) }), NotFound), {
    disableLogger: true,
    disableListenLog: true,
  }).pipe(Layer.provideMerge(UwsHttpServer.layerTest()), Layer.provide(NodeServices.layer))

const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  HttpClient.execute(HttpClientRequest.get(path).pipe(HttpClientRequest.setHeaders(headers)))

const textOf = (path: string) => Effect.flatMap(get(path), (response) => response.text)

/** Every file that a document names: links and scripts. Bundles name none. */
const namedIn = (text: string): ReadonlyArray<string> => Array.from(text.matchAll(/(?:href|src)="(\/[^"]+)"/g), ([, path = ""]) => path)

/** What has no ending is a document. */
const typeOf = (path: string) => (path.includes(".") ? contentTypes[path.slice(path.lastIndexOf(".") + 1)] : "text/html; charset=utf-8")

const contentTypes: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
}

describe("PageRoutes", () => {
  it.layer(server("mp_shown_to_all"), { excludeTestServices: true })("with a key to lend", (it) => {
    it.effect("serves the page and every file it leads to, each with its type", () =>
      Effect.gen(function* () {
        const html = yield* get("/")
        assert.strictEqual(html.headers["content-type"], "text/html; charset=utf-8")
        const waiting = [...namedIn(yield* html.text)]
        const seen = new Set<string>()
        for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
          // The gateway's.
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

    it.effect("allows nothing inline and nothing from elsewhere", () =>
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

    it.effect("answers 304 to a browser that has the file", () =>
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

    it.effect("answers HEAD as GET, without the body", () =>
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

    it.effect("serves nothing but its files", () =>
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

    it.effect("tells the page where the API is, and the key it may use", () =>
      Effect.gen(function* () {
        const config = yield* get("/page-config.json")
        assert.deepStrictEqual(yield* config.json, { apiRoot: "/api/v1", demoKey: "mp_shown_to_all" })
        assert.strictEqual(config.headers["cache-control"], "no-store")
      }),
    )
  })

  it.layer(server(null), { excludeTestServices: true })("without a key", (it) => {
    it.effect("lends none", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* (yield* get("/page-config.json")).json, { apiRoot: "/api/v1", demoKey: null })
      }),
    )
  })
})
