/**
 * The complete admin API. It consists of the endpoints that apply to all games, and of additional endpoints for each
 * game, which one line below adds per game.
 */
import { AdminApi } from "@matchpoint/contracts/http/admin/AdminApi"
import { Cs2AdminApi } from "@matchpoint/cs2/contract/http/admin/TeamCorrectionsApi"
import { TennisAdminApi } from "@matchpoint/tennis/contract/http/admin/PlayerMergesApi"

export class OperatorApi extends AdminApi.addHttpApi(Cs2AdminApi).addHttpApi(TennisAdminApi) {}
