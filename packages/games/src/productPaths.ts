/** The paths of all HTTP APIs of the product. */
import { OperatorApi } from "@matchpoint/contracts/http/admin/OperatorApi"
import { FeedApi } from "@matchpoint/contracts/http/FeedApi"
import { MatchpointApi, StreamApi } from "@matchpoint/contracts/http/MatchpointApi"
import { WebhooksAliasApi } from "@matchpoint/contracts/http/webhooks/WebhooksApi"
import { KnownPaths, PathsOfApis } from "@matchpoint/process/http/KnownPaths"
import { Layer } from "effect"

export const productPaths = new PathsOfApis().with(MatchpointApi).with(WebhooksAliasApi).with(StreamApi).with(FeedApi).with(OperatorApi)

export const ProductPaths = Layer.succeed(KnownPaths, productPaths)
