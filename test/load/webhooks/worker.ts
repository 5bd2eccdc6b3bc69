// Owns the measured process of the webhooks benchmark: one worker with the settings of production, except that it may
// deliver to this machine. The argument is the URL of the database. Sends "ready" once it works.

import { WebhookSender } from "@matchpoint/service-webhooks/WebhookSender"
import { WebhookSenderConfig } from "@matchpoint/service-webhooks/WebhookSenderConfig"
import { WebhookWorker } from "@matchpoint/service-webhooks/WebhookWorker"
import { Postgres } from "@matchpoint/store/database/Postgres"
import { webhookRepositories } from "@matchpoint/store/ServiceRepositories"
import { WebhookWakeups } from "@matchpoint/store/webhooks/WebhookWakeups"
import { HostResolver } from "@matchpoint/webhooks/HostResolver"
import { SecretBox, WebhookSecrets } from "@matchpoint/webhooks/SecretBox"
import { Effect, Layer, Redacted } from "effect"
import { BENCH_KEY } from "./database.ts"

const SenderSettings = Layer.effect(
  WebhookSenderConfig,
  Effect.map(WebhookSenderConfig, (defaults) => ({ ...defaults, allowHttp: true, allowedNetworks: ["loopback"] })),
)

const worker = WebhookWorker.layer.pipe(
  Layer.provide(WebhookSender.layer.pipe(Layer.provide([HostResolver.layer, SenderSettings]))),
  Layer.provide(Layer.succeed(WebhookSecrets, new SecretBox([Redacted.make(BENCH_KEY)]))),
  Layer.provide(webhookRepositories.pipe(Layer.provideMerge(WebhookWakeups.layerPostgres))),
  Layer.provide(Postgres.layer({ url: Redacted.make(process.argv[2] ?? "") })),
)

process.on("message", () => {
  const { system, user } = process.cpuUsage()
  process.send?.(system + user)
})
process.on("disconnect", () => process.exit(0))
Effect.runFork(
  Effect.scoped(
    Effect.andThen(
      Layer.build(worker),
      Effect.andThen(
        Effect.sync(() => process.send?.("ready")),
        Effect.never,
      ),
    ),
  ),
)
