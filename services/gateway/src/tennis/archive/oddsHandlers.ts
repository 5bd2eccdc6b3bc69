/** Handlers of the announced odds endpoints, which answer with status 501. */
import { NotYetAvailable } from "@matchpoint/contracts/http/errors"
import { MatchpointApi } from "@matchpoint/contracts/http/MatchpointApi"
import { ODDS_ANNOUNCED_ON } from "@matchpoint/contracts/http/tennis/data/endpoints/OddsApi"
import { Effect } from "effect"
import { endpointGroup } from "../../http/slimContext.ts"

export const OddsHandlers = endpointGroup(MatchpointApi, "tennis-odds", (handlers) =>
  handlers.handleAll({
    match: () => Effect.fail(NotYetAvailable.of("GET /tennis/odds/{matchId}", ODDS_ANNOUNCED_ON)),
    live: () => Effect.fail(NotYetAvailable.of("GET /tennis/odds/{matchId}/live", ODDS_ANNOUNCED_ON)),
  }),
)
