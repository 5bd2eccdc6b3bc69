/**
 * Handlers of the webhook endpoints. The API key determines the account, so customers see only their own webhooks.
 * Deliveries are made by the webhook service.
 */
import { createHash, randomUUID } from "node:crypto"
import { Caller } from "@matchpoint/contracts/http/Authentication"
import { pagingOf } from "@matchpoint/contracts/http/envelope"
import { Conflict, NotFound, ServiceUnavailable, ValidationError } from "@matchpoint/contracts/http/errors"
import { readInstant } from "@matchpoint/contracts/http/instants"
import { MatchpointApi } from "@matchpoint/contracts/http/MatchpointApi"
import { WebhooksAliasApi, type WebhooksApi } from "@matchpoint/contracts/http/webhooks/WebhooksApi"
import { webhookLimits } from "@matchpoint/contracts/http/webhooks/webhookModels"
import { TEST_EVENT } from "@matchpoint/contracts/webhook/webhookEvents"
import type { AccountId } from "@matchpoint/domain/accounts"
import type { StoreError } from "@matchpoint/store/StoreError"
import { WebhookDeliveries } from "@matchpoint/store/webhooks/WebhookDeliveries"
import { WebhookEvents } from "@matchpoint/store/webhooks/WebhookEvents"
import { type StoredSubscription, WebhookSubscriptions } from "@matchpoint/store/webhooks/WebhookSubscriptions"
import { WebhookSecrets } from "@matchpoint/webhooks/SecretBox"
import { newSecret } from "@matchpoint/webhooks/signatures"
import { UrlCheck } from "@matchpoint/webhooks/UrlCheck"
import { Clock, Effect, Layer, Option, Redacted } from "effect"
import type { HttpApi, HttpApiGroup } from "effect/http-api"
import { pageOf } from "../http/pages/page.ts"
import { endpointGroup } from "../http/slimContext.ts"
import { WebhookNames } from "./WebhookNames.ts"
import { changedSettings, deliveryRow, settingsOf, webhookRow } from "./webhookRows.ts"

const DAY_SECONDS = 86_400
/** How long a request can be repeated with its idempotency key, in milliseconds. */
const REPEATABLE_MS = DAY_SECONDS * 1000

const data = <A>(shown: A) => ({ success: true as const, data: shown, meta: {} })

const notFound = NotFound.of("your account has no webhook with this id; GET /webhooks lists your webhooks")

const storeUnavailable = (error: StoreError): Effect.Effect<never, ServiceUnavailable> =>
  Effect.andThen(
    Effect.logError("webhooks cannot be read or changed", error),
    Effect.fail(ServiceUnavailable.because("webhooks cannot be read or changed at the moment; try again")),
  )

const answered = <A, E, R>(work: Effect.Effect<A, E | StoreError, R>) => Effect.catchTag(work, "StoreError", storeUnavailable)
