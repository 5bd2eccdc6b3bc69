/** The complete admin API: the endpoints for all games, and one line for the endpoints of each game. */
import { HttpApi } from "effect/http-api"
import { AdminApi } from "./AdminApi.ts"
import { TeamCorrectionsApi } from "./cs2/TeamCorrectionsApi.ts"

export class OperatorApi extends AdminApi.add(TeamCorrectionsApi).annotate(HttpApi.PayloadParseOptions, { onExcessProperty: "error" }) {}
