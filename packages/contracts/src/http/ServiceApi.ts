/** The endpoints that belong to no game. */
import { HttpApi } from "effect/http-api"
import { AccountApi } from "./account/AccountApi.ts"
import { API_ROOT } from "./apiRoot.ts"
import { AllLiveApi } from "./live/AllLiveApi.ts"
import { QrApi } from "./qr/QrApi.ts"
import { TranscriptsApi } from "./transcripts/TranscriptsApi.ts"
import { WebhooksApi } from "./webhooks/WebhooksApi.ts"

export const ServiceApi = HttpApi.make("matchpoint")
  .add(AllLiveApi)
  .add(QrApi)
  .add(WebhooksApi)
  .add(TranscriptsApi)
  .add(AccountApi)
  .prefix(API_ROOT)
