/** The whole admin API: what every game has, and a line for what a game adds. */
import { HttpApi } from "effect/http-api"
import { AdminApi } from "./AdminApi.ts"
import { TeamCorrectionsApi } from "./cs2/TeamCorrectionsApi.ts"

export class OperatorApi extends AdminApi.add(TeamCorrectionsApi).annotate(HttpApi.PayloadParseOptions, { onExcessProperty: "error" }) {}
