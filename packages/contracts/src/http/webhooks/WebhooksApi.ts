/**
 * Management of webhooks. The same endpoints answer below `/api/v1` and `/v1`, because the specification names both.
 * Free of charge. Reading, pausing and deleting need no feature, so that customers see what a downgrade has paused.
 */
import { StorableText } from "@matchpoint/domain/storableText"
import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authentication } from "../Authentication.ts"
import { BodyRules } from "../BodyRules.ts"
import { NoMeta, Paging, pageQuery, success } from "../envelope.ts"
import { Conflict, NotFound, ServiceUnavailable } from "../errors.ts"
import { IdempotencyKey } from "../IdempotencyKey.ts"
import { Free, Metering, Needs } from "../Metering.ts"
import { QueryRules } from "../QueryRules.ts"
import { RequestRules } from "../RequestRules.ts"
import {
  DeletedWebhook,
  NewWebhook,
  ResendRequest,
  Resent,
  SecretRotation,
  Webhook,
  WebhookChange,
  WebhookDelivery,
  WebhookWithSecret,
} from "./webhookModels.ts"

const describe = (summary: string, description: string) => OpenApi.annotations({ summary, description })

const CreationKey = IdempotencyKey.annotate({
  description: "If you repeat the request with the same key, no second webhook is created and the response is the same",
})

const params = { webhookId: StorableText } as const
const deliveryParams = { ...params, deliveryId: StorableText } as const
const ofOne = { params, error: [NotFound, ServiceUnavailable] } as const
const one = success(Webhook, NoMeta)

const groupOf = <const Name extends string>(name: Name) =>
  HttpApiGroup.make(name)
    .add(
      HttpApiEndpoint.post("create", "/webhooks", {
        headers: { "idempotency-key": Schema.optionalKey(CreationKey) },
        payload: NewWebhook,
        success: success(WebhookWithSecret, NoMeta),
        error: [Conflict, ServiceUnavailable],
      })
        .annotate(Needs, "webhooks")
        .annotateMerge(
          describe(
            "Create a webhook",
            "Registers your server for events. The response contains the secret with which deliveries are signed.",
          ),
        ),
      HttpApiEndpoint.get("list", "/webhooks", {
        query: pageQuery,
        success: success(Schema.Array(Webhook), Paging),
        error: ServiceUnavailable,
      }).annotateMerge(describe("Webhooks", "The webhooks of your account, newest first.")),
      HttpApiEndpoint.get("read", "/webhooks/:webhookId", { ...ofOne, success: one }).annotateMerge(
        describe("Webhook", "One webhook, without its secret."),
      ),
      HttpApiEndpoint.patch("update", "/webhooks/:webhookId", { ...ofOne, payload: WebhookChange, success: one })
        .annotate(Needs, "webhooks")
        .annotateMerge(describe("Change a webhook", "Changes the fields that the request contains. Queued deliveries go to the new URL.")),
      HttpApiEndpoint.delete("remove", "/webhooks/:webhookId", {
        ...ofOne,
        success: success(DeletedWebhook, NoMeta),
      }).annotateMerge(describe("Delete a webhook", "Deletes the webhook with its pending deliveries and its log.")),
      HttpApiEndpoint.post("pause", "/webhooks/:webhookId/pause", { ...ofOne, success: one }).annotateMerge(
        describe(
          "Pause a webhook",
          "Stops deliveries. Queued deliveries are kept. Events that happen during the pause are not queued; resend them later.",
        ),
      ),
      HttpApiEndpoint.post("activate", "/webhooks/:webhookId/activate", { ...ofOne, success: one })
        .annotate(Needs, "webhooks")
        .annotateMerge(
          describe("Activate a webhook", "Makes a paused or disabled webhook active again. Queued deliveries are sent at once."),
        ),
      HttpApiEndpoint.post("rotateSecret", "/webhooks/:webhookId/rotate-secret", {
        ...ofOne,
        payload: SecretRotation,
        success: success(WebhookWithSecret, NoMeta),
      })
        .annotate(Needs, "webhooks")
        .annotateMerge(
          describe("Rotate the secret", "Creates a new secret. Until the end of the grace period deliveries are signed with both secrets."),
        ),
      HttpApiEndpoint.post("test", "/webhooks/:webhookId/test", {
        ...ofOne,
        error: [...ofOne.error, Conflict],
        success: success(Resent, NoMeta),
      })
        .annotate(Needs, "webhooks")
        .annotateMerge(describe("Send a test event", "Queues an event `webhook.test`. The log of deliveries shows the result.")),
      HttpApiEndpoint.post("resendAll", "/webhooks/:webhookId/resend", {
        ...ofOne,
        error: [...ofOne.error, Conflict],
        payload: ResendRequest,
        success: success(Resent, NoMeta),
      })
        .annotate(Needs, "webhooks")
        .annotateMerge(
          describe(
            "Resend events",
            "Queues stored events again: all since a time, or those of a match after a position. Events are stored for 7 days.",
          ),
        ),
      HttpApiEndpoint.get("deliveries", "/webhooks/:webhookId/deliveries", {
        ...ofOne,
        query: pageQuery,
        success: success(Schema.Array(WebhookDelivery), Paging),
      }).annotateMerge(describe("Deliveries", "The log of deliveries with every attempt, newest first. Entries are kept for 7 days.")),
      HttpApiEndpoint.get("delivery", "/webhooks/:webhookId/deliveries/:deliveryId", {
        ...ofOne,
        params: deliveryParams,
        success: success(WebhookDelivery, NoMeta),
      }).annotateMerge(describe("Delivery", "One delivery with its attempts.")),
      HttpApiEndpoint.post("resend", "/webhooks/:webhookId/deliveries/:deliveryId/resend", {
        ...ofOne,
        params: deliveryParams,
        success: success(WebhookDelivery, NoMeta),
      })
        .annotate(Needs, "webhooks")
        .annotateMerge(describe("Resend one event", "Queues another delivery of the same event, with the same event id.")),
    )
    .annotate(HttpApi.PayloadParseOptions, { onExcessProperty: "error" })
    .annotateEndpoints(Free, true)
    .middleware(QueryRules)
    .middleware(BodyRules)
    .middleware(Metering)
    .middleware(Authentication)
    .middleware(RequestRules)
    .annotateMerge(
      OpenApi.annotations({
        title: "Webhooks",
        description:
          "Your servers receive events as signed HTTP requests. Creating and changing them needs a plan with `webhooks`. Requests are free of charge.",
      }),
    )

export class WebhooksApi extends groupOf("webhooks") {}

export const WebhooksAliasApi = HttpApi.make("matchpoint-webhooks").add(groupOf("webhooks-alias")).prefix("/v1")
