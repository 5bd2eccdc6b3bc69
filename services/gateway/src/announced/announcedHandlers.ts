/** Every endpoint of the announced games has the same handler. */
import { AnnouncedApi, AnnouncedV1Api } from "@matchpoint/contracts/http/announced/AnnouncedApi"
import { announcedAnswer } from "@matchpoint/game/edge/announcedAnswer"
import { endpointGroup } from "@matchpoint/game/edge/slimContext"
import { Layer, Record } from "effect"

const answers = <Name extends string>({ endpoints }: { readonly endpoints: Record.ReadonlyRecord<Name, unknown> }) =>
  Record.map(endpoints, () => announcedAnswer)

const { rocketleague, valorant } = AnnouncedApi.groups
const { "rocketleague-v1": rocketleagueV1, "valorant-v1": valorantV1 } = AnnouncedV1Api.groups

export const AnnouncedHandlers = Layer.mergeAll(
  endpointGroup(AnnouncedApi, "valorant", (handlers) => handlers.handleAll(answers(valorant))),
  endpointGroup(AnnouncedV1Api, "valorant-v1", (handlers) => handlers.handleAll(answers(valorantV1))),
  endpointGroup(AnnouncedApi, "rocketleague", (handlers) => handlers.handleAll(answers(rocketleague))),
  endpointGroup(AnnouncedV1Api, "rocketleague-v1", (handlers) => handlers.handleAll(answers(rocketleagueV1))),
)
