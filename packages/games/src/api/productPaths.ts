import { WebhooksAliasApi } from "@matchpoint/contracts/http/webhooks/WebhooksApi"
import { KnownPaths, PathsOfApis } from "@matchpoint/process/http/KnownPaths"
import { Layer } from "effect"
import { FeedApi } from "./FeedApi.ts"
import { MatchpointApi, StreamApi } from "./MatchpointApi.ts"
import { OperatorApi } from "./OperatorApi.ts"

export const productPaths = new PathsOfApis().with(MatchpointApi).with(WebhooksAliasApi).with(StreamApi).with(FeedApi).with(OperatorApi)

export const ProductPaths = Layer.succeed(KnownPaths, productPaths)
