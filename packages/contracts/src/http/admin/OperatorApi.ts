/**
 * The complete admin API. It consists of the endpoints that apply to all games, and of additional endpoints for each
 * game, which one line below adds per game.
 */
import { AdminApi } from "./AdminApi.ts"
import { Cs2AdminApi } from "./cs2/TeamCorrectionsApi.ts"
import { TennisAdminApi } from "./tennis/PlayerMergesApi.ts"

export class OperatorApi extends AdminApi.addHttpApi(Cs2AdminApi).addHttpApi(TennisAdminApi) {}
