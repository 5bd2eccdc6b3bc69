/** With the embedded database, the web pages get a public API key of their own. */
import { PageRoutes } from "@matchpoint/service-web/PageRoutes"
import { Effect, Layer, Option, Redacted } from "effect"
import { pageKey } from "./devKeys.ts"
import { StandaloneConfig } from "./StandaloneConfig.ts"

export const LivePageRoutes = Layer.unwrap(
  Effect.map(StandaloneConfig, ({ databaseUrl }) =>
    PageRoutes.layer({ demoKey: Option.isNone(databaseUrl) ? Redacted.make(pageKey) : null }),
  ),
)
