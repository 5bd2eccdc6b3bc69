/**
 * Webhooks of the standalone process: the key for their secrets, the networks that deliveries may reach, and one worker.
 */
import { randomBytes } from "node:crypto"
import { networkInterfaces } from "node:os"
import { join } from "node:path"
import { HostResolver } from "@matchpoint/service-webhooks/HostResolver"
import { WebhookSender } from "@matchpoint/service-webhooks/WebhookSender"
import { WebhookSenderConfig } from "@matchpoint/service-webhooks/WebhookSenderConfig"
import { WebhookUpkeep } from "@matchpoint/service-webhooks/WebhookUpkeep"
import { WebhookWorker } from "@matchpoint/service-webhooks/WebhookWorker"
import { SecretBox, WebhookSecrets } from "@matchpoint/webhooks/SecretBox"
import { UrlCheck, UrlRefused } from "@matchpoint/webhooks/UrlCheck"
import { Effect, FileSystem, Layer, Option, Redacted } from "effect"
import { StandaloneConfig } from "./StandaloneConfig.ts"

const KEY_FILE = "webhook.key"
const KEY_BYTES = 32

/** Returns the key in the data directory. Creates a random one if there is none, readable by the owner only. */
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

/** The box for the secrets of webhooks. With a PostgreSQL database and without a key, webhooks are not available. */
export const WebhookSecretsLayer = Layer.effect(
  WebhookSecrets,
  Effect.gen(function* () {
    const { databaseUrl, dataDirectory, webhookKeys } = yield* StandaloneConfig
    if (Option.isSome(webhookKeys)) return new SecretBox(webhookKeys.value)
    return Option.isSome(databaseUrl) ? null : new SecretBox([yield* keyOfDirectory(dataDirectory)])
  }),
)

/** Addresses of this machine. Deliveries must not reach other services on it. */
const ownAddresses = Effect.sync(() =>
  Object.values(networkInterfaces()).flatMap((addresses) =>
    (addresses ?? []).filter(({ internal }) => !internal).map(({ address }) => address),
  ),
)

/**
 * On the embedded database, deliveries may use plain HTTP and reach this machine, so that developers can try webhooks.
 * Otherwise they may only reach public addresses and the networks that the operator has listed.
 */
const SenderSettings = Layer.effect(
  WebhookSenderConfig,
  Effect.gen(function* () {
    const { databaseUrl, webhookNetworks } = yield* StandaloneConfig
    const defaults = yield* WebhookSenderConfig
    const allowedNetworks = Option.getOrElse(webhookNetworks, () => [])
    if (Option.isSome(databaseUrl)) return { ...defaults, allowedNetworks, blockedAddresses: yield* ownAddresses }
    return { ...defaults, allowHttp: true, allowedNetworks: ["loopback", ...allowedNetworks] }
  }),
)

const Sender = WebhookSender.layer.pipe(Layer.provide([HostResolver.layer, SenderSettings]))

/** Checks URLs at registration as the sender checks them before each request. */
export const UrlCheckLayer = Layer.effect(
  UrlCheck,
  Effect.map(WebhookSender, ({ checkUrlNow }) => ({
    check: (url: string) => Effect.mapError(checkUrlNow(url), ({ message }) => new UrlRefused({ message })),
  })),
)

/** Delivers webhooks, and provides what the gateway needs to manage them. */
export const WebhooksLayer = Layer.merge(WebhookWorker.layer, WebhookUpkeep.layer).pipe(
  Layer.merge(UrlCheckLayer),
  Layer.provide(Sender),
  Layer.provideMerge(WebhookSecretsLayer),
)
