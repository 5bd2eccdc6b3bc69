/** The public HTTP API: every section is one line here. */
import { HttpApi, OpenApi } from "effect/http-api"
import { AccountApi } from "./account/AccountApi.ts"
import { LiveApi } from "./cs2/LiveApi.ts"
import { apiV2, describeV2 } from "./cs2/LiveApiV2.ts"
import { describeStreams } from "./cs2/streamPaths.ts"

/** The API root; every path of the contract is relative to it. */
export const API_ROOT = "/api/v1"

export class MatchpointApi extends HttpApi.make("matchpoint")
  .add(LiveApi)
  .add(AccountApi)
  .prefix(API_ROOT)
  .annotateMerge(
    OpenApi.annotations({
      title: "Matchpoint",
      version: "1.0.0",
      description:
        "Self-hosted live data of esports and tennis. Every answer is `{ success, data, meta }`; every error `{ success: false, error }`.",
      transform: (document) => describeStreams(API_ROOT)(describeV2(API_ROOT)(document)),
    }),
  ) {}

/** The same paths, every answer in shape v2: for typed clients. The server serves both. */
export const MatchpointApiV2 = apiV2(API_ROOT)
