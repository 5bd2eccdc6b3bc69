/** `GET /docs`: the OpenAPI document as pages in which a reader can try an endpoint. Script and styles are our own; nothing is fetched from others. */
import { MatchpointApi } from "@matchpoint/contracts/http/MatchpointApi"
import { Effect, Layer } from "effect"
import { HttpApiScalar } from "effect/http-api"
import { GatewayConfig } from "../GatewayConfig.ts"

export const DocsRoute = Layer.unwrap(
  Effect.map(GatewayConfig, ({ docsKey }) => HttpApiScalar.layer(MatchpointApi, { path: "/docs", scalar: settingsFor(docsKey) })),
)

/** More than effect's types know of: Scalar takes the values of security schemes as well. */
const settingsFor = (docsKey: string | null) => ({
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
