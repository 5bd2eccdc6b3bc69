/** The live page; it brings a key of its own where the keys are known to everyone anyway. */
import { Effect, Layer, Option, Redacted } from "effect"
import { pageKey } from "./devKeys.ts"
import { PageRoutes } from "./page/PageRoutes.ts"
import { StandaloneConfig } from "./StandaloneConfig.ts"

export const LivePageRoutes = Layer.unwrap(
  Effect.map(StandaloneConfig, ({ databaseUrl }) =>
    PageRoutes.layer({ demoKey: Option.isNone(databaseUrl) ? Redacted.make(pageKey) : null }),
  ),
)
