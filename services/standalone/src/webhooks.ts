/** The key for the secrets of webhooks, the networks that deliveries may reach, and one worker. */
import { randomBytes } from "node:crypto"
import { join } from "node:path"
import { secretBoxOf, webhookAddresses } from "@matchpoint/process/webhookSettings"
import { WebhookSender } from "@matchpoint/service-webhooks/WebhookSender"
import { WebhookSenderConfig } from "@matchpoint/service-webhooks/WebhookSenderConfig"
import { WebhookUpkeep } from "@matchpoint/service-webhooks/WebhookUpkeep"
import { WebhookWorker } from "@matchpoint/service-webhooks/WebhookWorker"
import type { AddressPolicySettings } from "@matchpoint/webhooks/addressPolicy"
import { HostResolver } from "@matchpoint/webhooks/HostResolver"
import { SecretBox, WebhookSecrets } from "@matchpoint/webhooks/SecretBox"
import { UrlCheck } from "@matchpoint/webhooks/UrlCheck"
import { Effect, FileSystem, Layer, Option, Redacted } from "effect"
import { StandaloneConfig } from "./StandaloneConfig.ts"

const KEY_FILE = "webhook.key"
const KEY_BYTES = 32

/** The key in the data directory. If there is none, creates a random one, readable by the owner only. */
const keyOfDirectory = Effect.fnUntraced(function* (directory: string) {
  const files = yield* FileSystem.FileSystem
  const file = join(directory, KEY_FILE)
  if (!(yield* files.exists(file))) {
    yield* files.makeDirectory(directory, { recursive: true })
    // `wx` fails if another process has created the file in the meantime.
    yield* files.writeFileString(file, randomBytes(KEY_BYTES).toString("base64"), { flag: "wx", mode: 0o600 }).pipe(
      Effect.catchIf(
        (error) => error.reason._tag === "AlreadyExists",
        () => Effect.void,
      ),
    )
  }
  return Redacted.make((yield* files.readFileString(file)).trim())
})

/** With a PostgreSQL database and without a key, webhooks are not available. */
export const WebhookSecretsLayer = Layer.effect(
  WebhookSecrets,
  Effect.gen(function* () {
    const settings = yield* StandaloneConfig
    const box = secretBoxOf(settings)
    if (box !== null || Option.isSome(settings.databaseUrl)) return box
    return new SecretBox([yield* keyOfDirectory(settings.dataDirectory)])
  }),
)

/** On the embedded database, deliveries may use plain HTTP and reach this machine, so that developers can try webhooks. */
const addresses = Effect.flatMap(
  StandaloneConfig,
  (settings): Effect.Effect<AddressPolicySettings> =>
    Option.isSome(settings.databaseUrl)
      ? webhookAddresses(settings)
      : Effect.succeed({
          allowHttp: true,
          allowedNetworks: ["loopback", ...Option.getOrElse(settings.webhookNetworks, () => [])],
          nat64Prefixes: Option.getOrElse(settings.nat64Prefixes, () => []),
        }),
)

const SenderSettings = Layer.effect(
  WebhookSenderConfig,
  Effect.gen(function* () {
    return { ...(yield* WebhookSenderConfig), ...(yield* addresses) }
  }),
)

const Sender = WebhookSender.layer.pipe(Layer.provide(SenderSettings))

const Check = Layer.unwrap(Effect.map(addresses, UrlCheck.layer))

export const WebhooksLayer = Layer.merge(WebhookWorker.layer, WebhookUpkeep.layer).pipe(
  Layer.provide(Sender),
  Layer.merge(Check),
  Layer.provide(HostResolver.layer),
  Layer.provideMerge(WebhookSecretsLayer),
)
