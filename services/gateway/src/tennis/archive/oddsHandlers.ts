/** Handlers of the announced odds endpoints, which answer with status 501. */
import { MatchpointApi } from "@matchpoint/contracts/http/MatchpointApi"
import { announcedAnswer } from "../../announced/announcedAnswer.ts"
import { endpointGroup } from "../../http/slimContext.ts"

export const OddsHandlers = endpointGroup(MatchpointApi, "tennis-odds", (handlers) =>
  handlers.handleAll({ match: announcedAnswer, live: announcedAnswer }),
)
