/** Handlers of the sections of announced games. */
import { MatchpointApi } from "@matchpoint/contracts/http/MatchpointApi"
import { Layer } from "effect"
import { endpointGroup } from "../http/slimContext.ts"
import { announcedAnswer } from "./announcedAnswer.ts"

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
  endpointGroup(MatchpointApi, "valorant", (handlers) => handlers.handleAll(valorant)),
  endpointGroup(MatchpointApi, "valorant-v1", (handlers) => handlers.handleAll(valorant)),
  endpointGroup(MatchpointApi, "rocketleague", (handlers) => handlers.handleAll(rocketLeague)),
  endpointGroup(MatchpointApi, "rocketleague-v1", (handlers) => handlers.handleAll(rocketLeague)),
)
