/** Handlers of the announced odds endpoints, which answer with status 501. */
import { TennisApi } from "../../contract/http/TennisApi.ts"
import { announcedAnswer } from "@matchpoint/game/edge/announcedAnswer"
import { endpointGroup } from "@matchpoint/game/edge/slimContext"

export const OddsHandlers = endpointGroup(TennisApi, "tennis-odds", (handlers) =>
  handlers.handleAll({ match: announcedAnswer, live: announcedAnswer }),
)
