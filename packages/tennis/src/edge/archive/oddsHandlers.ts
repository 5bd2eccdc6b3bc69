import { announcedAnswer } from "@matchpoint/game/edge/announcedAnswer"
import { endpointGroup } from "@matchpoint/game/edge/slimContext"
import { TennisApi } from "../../contract/http/TennisApi.ts"

export const OddsHandlers = endpointGroup(TennisApi, "tennis-odds", (handlers) =>
  handlers.handleAll({ match: announcedAnswer, live: announcedAnswer }),
)
