/**
 * `GET /openapi.json`, and `GET /docs`, which shows that document and lets readers try the endpoints. The page is a few
 * lines that load the document and the viewer script. The script's URL contains its hash, so browsers cache it
 * permanently. Nothing is loaded from other servers.
 */
import { MatchpointApi } from "@matchpoint/contracts/http/MatchpointApi"
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { HttpApi, HttpApiScalar, OpenApi } from "effect/http-api"
import { GatewayConfig } from "../../GatewayConfig.ts"
import { FOR_GOOD, fixedAnswer } from "../responses/fixedAnswer.ts"
import { notThere } from "./fallback.ts"

/**
 * The documents are built by the first request that needs them. They take megabytes that most processes never serve.
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

/** Effect provides the viewer script only inside a page of its own, so the script is extracted from that page. */
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

/** URLs are relative, so that a proxy may serve everything below another path. */
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

/** Settings of the Scalar viewer, including values for the security schemes. */
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
