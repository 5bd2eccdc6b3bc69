/** The complete admin API: endpoints for all games, and those that only one game has. */
import { AdminApi } from "@matchpoint/contracts/http/admin/AdminApi"
import { Cs2AdminApi } from "@matchpoint/cs2/contract/http/admin/TeamCorrectionsApi"
import { TennisAdminApi } from "@matchpoint/tennis/contract/http/admin/PlayerMergesApi"

export class OperatorApi extends AdminApi.addHttpApi(Cs2AdminApi).addHttpApi(TennisAdminApi) {}
