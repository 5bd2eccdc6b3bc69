/**
 * `GET /openapi.json`, and `GET /docs`: that document as pages in which a reader can try an endpoint. The page is a few lines that load the
 * viewer, whose address names its content and is kept by browsers for good, and the document. Nothing is fetched from others.
 */
import { MatchpointApi } from "@matchpoint/contracts/http/MatchpointApi"
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { HttpApi, HttpApiScalar, OpenApi } from "effect/http-api"
import { GatewayConfig } from "../../GatewayConfig.ts"
import { FOR_GOOD, fixedAnswer } from "../responses/fixedAnswer.ts"
import { notThere } from "./fallback.ts"

/** Made by the first request that needs them: megabytes that most processes never serve. */
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

/** Effect brings the viewer inside of a page of its own, and no other way. */
const viewerScript = Effect.promise(async () => {
  const { dispose, handler } = HttpRouter.toWebHandler(HttpApiScalar.layer(NoApi, { path: "/" }), { disableLogger: true })
  try {
    const page = await (await handler(new Request("http://localhost/"))).text()
    const [, script] = /<script>([\s\S]*?)<\/script>/.exec(page) ?? []
    if (script === undefined) throw new Error("effect's page of the viewer has no script")
    return script
  } finally {
    await dispose()
  }
})

/** Addresses are relative, so that a proxy may put all of it below a path of its own. */
const pageOf = (viewer: string, settings: object): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Matchpoint API</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
</head>
<body>
<noscript>This page needs JavaScript. The same document for machines: <a href="openapi.json">openapi.json</a></noscript>
<div id="reference"></div>
<script src="${viewer}"></script>
<script>Scalar.createApiReference("#reference", ${JSON.stringify(settings).replaceAll("<", "\\u003c")})</script>
</body>
</html>
`

/** Scalar's settings. It takes the values of security schemes as well. */
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
