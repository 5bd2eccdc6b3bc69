/** Everything that comes in over HTTP: a game's own endpoints are a line here. */
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
      description: `Facts in. The feed token goes into the header \`${FEED_TOKEN_HEADER}\`, as a bearer token, or into the query as \`token\`.`,
    }),
  ) {}
