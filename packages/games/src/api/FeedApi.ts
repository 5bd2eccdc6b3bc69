/** The HTTP API with which feeds send match data. */
import { FactsApi, FEED_TOKEN_HEADER, feedApi } from "@matchpoint/contracts/http/feed/FactsApi"
import { Cs2FeedApi } from "@matchpoint/cs2/contract/http/feed/Cs2FeedApi"
import { OpenApi } from "effect/http-api"

export class FeedApi extends feedApi
  .addHttpApi(Cs2FeedApi)
  .addHttpApi(FactsApi)
  .annotateMerge(
    OpenApi.annotations({
      title: "Matchpoint feeds",
      version: "1.0.0",
      description: `Receives facts about matches. Send the feed token in the header \`${FEED_TOKEN_HEADER}\`, as a bearer token, or as the query parameter \`token\`.`,
    }),
  ) {}
