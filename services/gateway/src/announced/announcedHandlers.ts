/** Handlers of the sections of announced games. */
import { AnnouncedApi, AnnouncedV1Api } from "@matchpoint/contracts/http/announced/AnnouncedApi"
import { announcedAnswer } from "@matchpoint/game/edge/announcedAnswer"
import { endpointGroup } from "@matchpoint/game/edge/slimContext"
import { Layer } from "effect"

const valorant = {
  leaderboard: announcedAnswer,
  liveMatches: announcedAnswer,
  match: announcedAnswer,
  player: announcedAnswer,
  team: announcedAnswer,
  teams: announcedAnswer,
  tournament: announcedAnswer,
  tournaments: announcedAnswer,
}
const { tournament: _, ...rocketLeague } = valorant

export const AnnouncedHandlers = Layer.mergeAll(
  endpointGroup(AnnouncedApi, "valorant", (handlers) => handlers.handleAll(valorant)),
  endpointGroup(AnnouncedV1Api, "valorant-v1", (handlers) => handlers.handleAll(valorant)),
  endpointGroup(AnnouncedApi, "rocketleague", (handlers) => handlers.handleAll(rocketLeague)),
  endpointGroup(AnnouncedV1Api, "rocketleague-v1", (handlers) => handlers.handleAll(rocketLeague)),
)
