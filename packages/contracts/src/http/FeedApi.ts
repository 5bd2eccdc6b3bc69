/** The HTTP API with which feeds send match data to the service. Each line below adds one group of endpoints. */
import { HttpApi, OpenApi } from "effect/http-api"
import { Cs2FeedGroup } from "./cs2/feed/Cs2FeedApi.ts"
import { FactsGroup, FEED_ROOT, FEED_TOKEN_HEADER } from "./feed/FactsApi.ts"

export class FeedApi extends HttpApi.make("matchpoint-feed")
  .add(Cs2FeedGroup)
  .add(FactsGroup)
  .prefix(FEED_ROOT)
  .annotateMerge(
    OpenApi.annotations({
      title: "Matchpoint feeds",
      version: "1.0.0",
      description: `Receives facts about matches. Send the feed token in the header \`${FEED_TOKEN_HEADER}\`, as a bearer token, or as the query parameter \`token\`.`,
    }),
  ) {}
