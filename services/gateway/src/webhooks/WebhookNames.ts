/** Events that customers can subscribe to. The composition root adds those of each game. */
import { genericEventNames } from "@matchpoint/contracts/webhook/webhookEvents"
import { Context, Layer } from "effect"

export class WebhookNames extends Context.Service<WebhookNames, ReadonlySet<string>>()(
  "@matchpoint/service-gateway/webhooks/WebhookNames",
) {
  static readonly layer = (...games: ReadonlyArray<ReadonlyArray<string>>) =>
    Layer.succeed(WebhookNames, new Set([...genericEventNames, ...games.flat()]))
}
