/** The endpoints of the announced sections, at the paths of this API and at those of its first version. */
import { HttpApi } from "effect/http-api"
import { API_ROOT } from "../apiRoot.ts"
import { RocketLeagueApi, RocketLeagueV1Api } from "./RocketLeagueApi.ts"
import { ValorantApi, ValorantV1Api } from "./ValorantApi.ts"

export const AnnouncedApi = HttpApi.make("matchpoint").add(RocketLeagueApi).add(ValorantApi).prefix(API_ROOT)

export const AnnouncedV1Api = HttpApi.make("matchpoint").add(RocketLeagueV1Api).add(ValorantV1Api)
