/**
 * Serves `GET /openapi.json`, and `GET /docs`, a page that shows the OpenAPI document and lets readers try the
 * endpoints. The page itself contains only links to the document and the viewer script. The URL of the script contains
 * the script's hash, so browsers can cache it permanently. Nothing is loaded from other servers.
 */
import { MatchpointApi } from "@matchpoint/contracts/http/MatchpointApi"
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { HttpApi, HttpApiScalar, OpenApi } from "effect/http-api"
import { GatewayConfig } from "../../GatewayConfig.ts"
import { FOR_GOOD, fixedAnswer } from "../responses/staticResponse.ts"
import { notThere } from "./fallback.ts"

/**
 * The documents are built only on the first request for them, because they occupy several megabytes and most processes
 * never serve them.
 */
export const DocsRoute = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { docsKey } = yield* GatewayConfig
    const document = yield* Effect.cached(
      Effect.sync(() => fixedAnswer(JSON.stringify(OpenApi.fromApi(MatchpointApi)), "application/json")),
    )
    const viewer = yield* Effect.cached(
      Effect.map(viewerScript, (script) => {
        const fixed = fixedAnswer(script, "text/javascript; charset=utf-8", FOR_GOOD)
        return { ...fixed, file: `viewer-${fixed.digest}.js` }
      }),
    )
    const page = yield* Effect.cached(
      Effect.map(viewer, ({ file }) => fixedAnswer(pageOf(`docs/${file}`, settingsFor(docsKey)), "text/html; charset=utf-8")),
    )
    yield* router.add(
      "GET",
      "/openapi.json",
      Effect.flatMap(document, ({ answer }) => answer),
    )
    yield* router.add(
      "GET",
      "/docs",
      Effect.flatMap(page, ({ answer }) => answer),
    )
    yield* router.add(
      "GET",
      "/docs/:file",
      Effect.gen(function* () {
        const { file } = yield* HttpRouter.params
        const { answer, file: served } = yield* viewer
        return file === served ? yield* answer : notThere(yield* HttpServerRequest.HttpServerRequest)
      }),
    )
  }),
)

class NoApi extends HttpApi.make("viewer") {}

/**
 * JavaScript of the Scalar viewer. Effect provides the script only as part of a complete page, so the script is
 * extracted from that page.
 */
const viewerScript = Effect.promise(async () => {
  const { dispose, handler } = HttpRouter.toWebHandler(HttpApiScalar.layer(NoApi, { path: "/" }), { disableLogger: true })
  try {
    const page = await (await handler(new Request("http://localhost/"))).text()
    const [, script] = /<script>([\s\S]*?)<\/script>/.exec(page) ?? []
    if (script === undefined) throw new Error("effect's viewer page contains no script")
    return script
  } finally {
    await dispose()
  }
})

/**
 * Builds the HTML of the docs page. The URLs in it are relative, so that a proxy may serve the whole API below another
 * path.
 */
const pageOf = (viewer: string, settings: object): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Matchpoint API</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
</head>
<body>
<noscript>This page requires JavaScript. The document is also available as <a href="openapi.json">openapi.json</a>.</noscript>
<div id="reference"></div>
<script src="${viewer}"></script>
<script>Scalar.createApiReference("#reference", ${JSON.stringify(settings).replaceAll("<", "\\u003c")})</script>
</body>
</html>
`

/**
 * Returns the settings of the Scalar viewer. If `docsKey` is set, the key is filled in for all authentication methods.
 */
const settingsFor = (docsKey: string | null) => ({
  url: "openapi.json",
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: "never",
  favicon: "data:,",
  authentication: {
    preferredSecurityScheme: "apiKey",
    ...(docsKey === null
      ? {}
      : { securitySchemes: { apiKey: { value: docsKey }, bearer: { token: docsKey }, apiKeyInQuery: { value: docsKey } } }),
  },
})
