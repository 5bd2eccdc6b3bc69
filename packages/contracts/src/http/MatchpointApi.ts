/** The public HTTP API. Each section of the API is added by one line below. */
import { HttpApi, OpenApi } from "effect/http-api"
import { AnnouncedApi, AnnouncedV1Api } from "./announced/AnnouncedApi.ts"
import { ApexApi } from "./apex/ApexApi.ts"
import { API_ROOT } from "./apiRoot.ts"
import { CodApi } from "./cod/CodApi.ts"
import { Cs2Api } from "./cs2/Cs2Api.ts"
import { apiV2 } from "./cs2/LiveApiV2.ts"
import { streamApi } from "./cs2/StreamApi.ts"
import { publicDocument } from "./openapi/publicDocument.ts"
import { ServiceApi } from "./ServiceApi.ts"
import { TennisApi } from "./tennis/TennisApi.ts"

/**
 * The live section with all responses in format v2, for typed clients. The server serves both formats, v1 and v2, on
 * the same paths.
 */
export const MatchpointApiV2 = apiV2(API_ROOT)

/** The WebSocket and SSE channels, described as endpoints. */
export const StreamApi = streamApi(API_ROOT)

const Endpoints = HttpApi.make("matchpoint")
  .addHttpApi(Cs2Api)
  .addHttpApi(TennisApi)
  .addHttpApi(AnnouncedApi)
  .addHttpApi(ApexApi)
  .addHttpApi(CodApi)
  .addHttpApi(ServiceApi)
  .addHttpApi(AnnouncedV1Api)

/**
 * Generates the complete OpenAPI document, which takes seconds. `OpenApi.fromApi(MatchpointApi)` returns the same, after
 * it has generated its own. `compactDocument.ts` makes the documents that are served.
 */
export const matchpointDocument = () => publicDocument({ endpoints: Endpoints, otherShape: MatchpointApiV2, streams: StreamApi })

export class MatchpointApi extends Endpoints.annotateMerge(OpenApi.annotations({ transform: () => ({ ...matchpointDocument() }) })) {}
