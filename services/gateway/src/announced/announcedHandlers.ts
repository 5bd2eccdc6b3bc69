/** Handlers of the sections of announced games: every endpoint has the same one. */
import { MatchpointApi } from "@matchpoint/contracts/http/MatchpointApi"
import { Layer, Record } from "effect"
import { endpointGroup } from "../http/slimContext.ts"
import { announcedAnswer } from "./announcedAnswer.ts"

const answers = <Name extends string>({ endpoints }: { readonly endpoints: Record.ReadonlyRecord<Name, unknown> }) =>
  Record.map(endpoints, () => announcedAnswer)

const { rocketleague, "rocketleague-v1": rocketleagueV1, valorant, "valorant-v1": valorantV1 } = MatchpointApi.groups

export const AnnouncedHandlers = Layer.mergeAll(
  endpointGroup(MatchpointApi, "valorant", (handlers) => handlers.handleAll(answers(valorant))),
  endpointGroup(MatchpointApi, "valorant-v1", (handlers) => handlers.handleAll(answers(valorantV1))),
  endpointGroup(MatchpointApi, "rocketleague", (handlers) => handlers.handleAll(answers(rocketleague))),
  endpointGroup(MatchpointApi, "rocketleague-v1", (handlers) => handlers.handleAll(answers(rocketleagueV1))),
)
