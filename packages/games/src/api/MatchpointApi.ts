/** The public HTTP API. */
import { ApexApi } from "@matchpoint/apex/contract/http/ApexApi"
import { CodApi } from "@matchpoint/cod/contract/http/CodApi"
import { AnnouncedApi, AnnouncedV1Api } from "@matchpoint/contracts/http/announced/AnnouncedApi"
import { API_ROOT } from "@matchpoint/contracts/http/apiRoot"
import { publicDocument } from "@matchpoint/contracts/http/openapi/publicDocument"
import { ServiceApi } from "@matchpoint/contracts/http/ServiceApi"
import { Cs2Api } from "@matchpoint/cs2/contract/http/Cs2Api"
import { apiV2 } from "@matchpoint/cs2/contract/http/LiveApiV2"
import { streamApi } from "@matchpoint/cs2/contract/http/StreamApi"
import { TennisApi } from "@matchpoint/tennis/contract/http/TennisApi"
import { HttpApi, OpenApi } from "effect/http-api"

/**
 * The live section with all responses in format v2, for typed clients. The server serves v1 and v2 on the same paths.
 */
export const MatchpointApiV2 = apiV2(API_ROOT)

export const StreamApi = streamApi(API_ROOT)

/** Named, because the compiler cannot write out the type of all groups in the declarations of the client. */
type Groups =
  | GroupsOf<typeof Cs2Api>
  | GroupsOf<typeof TennisApi>
  | GroupsOf<typeof AnnouncedApi>
  | GroupsOf<typeof ApexApi>
  | GroupsOf<typeof CodApi>
  | GroupsOf<typeof ServiceApi>
  | GroupsOf<typeof AnnouncedV1Api>

type GroupsOf<Api> = Api extends HttpApi.HttpApi<infer _Id, infer Group> ? Group : never

const Endpoints: HttpApi.HttpApi<"matchpoint", Groups> = HttpApi.make("matchpoint")
  .addHttpApi(Cs2Api)
  .addHttpApi(TennisApi)
  .addHttpApi(AnnouncedApi)
  .addHttpApi(ApexApi)
  .addHttpApi(CodApi)
  .addHttpApi(ServiceApi)
  .addHttpApi(AnnouncedV1Api)

/**
 * The complete OpenAPI document, which takes seconds. `OpenApi.fromApi(MatchpointApi)` returns the same after it has
 * generated its own. `compactDocument.ts` makes the documents that are served.
 */
export const matchpointDocument = () => publicDocument({ endpoints: Endpoints, otherShape: MatchpointApiV2, streams: StreamApi })

const Documented: HttpApi.HttpApi<"matchpoint", Groups> = Endpoints.annotateMerge(
  OpenApi.annotations({ transform: () => ({ ...matchpointDocument() }) }),
)

export class MatchpointApi extends Documented {}
