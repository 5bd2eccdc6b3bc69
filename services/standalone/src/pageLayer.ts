/** The live page. With the embedded database, it gets a public API key of its own. */
import { Effect, Layer, Option, Redacted } from "effect"
import { pageKey } from "./devKeys.ts"
import { PageRoutes } from "./page/PageRoutes.ts"
import { StandaloneConfig } from "./StandaloneConfig.ts"

export const LivePageRoutes = Layer.unwrap(
  Effect.map(StandaloneConfig, ({ databaseUrl }) =>
    PageRoutes.layer({ demoKey: Option.isNone(databaseUrl) ? Redacted.make(pageKey) : null }),
  ),
)
