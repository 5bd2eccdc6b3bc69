/**
 * The complete admin API. It consists of the endpoints that apply to all games, and of additional endpoints for each
 * game, which one line below adds per game.
 */
import { HttpApi } from "effect/http-api"
import { AdminApi } from "./AdminApi.ts"
import { TeamCorrectionsApi } from "./cs2/TeamCorrectionsApi.ts"
import { PlayerMergesApi } from "./tennis/PlayerMergesApi.ts"

export class OperatorApi extends AdminApi.add(TeamCorrectionsApi)
  .add(PlayerMergesApi)
  .annotate(HttpApi.PayloadParseOptions, { onExcessProperty: "error" }) {}
