/** Handlers of the announced odds endpoints, which answer with status 501. */
import { TennisApi } from "@matchpoint/contracts/http/tennis/TennisApi"
import { announcedAnswer } from "../../announced/announcedAnswer.ts"
import { endpointGroup } from "../../http/slimContext.ts"

export const OddsHandlers = endpointGroup(TennisApi, "tennis-odds", (handlers) =>
  handlers.handleAll({ match: announcedAnswer, live: announcedAnswer }),
)
