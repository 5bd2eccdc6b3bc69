import { matchChannels } from "@matchpoint/game/contract/matchChannels"
import { COD } from "../../rules/game.ts"
import { PlayerId } from "../../rules/live/registry.ts"
import { CompactCodMatch } from "../CompactCodMatch.ts"
import { LiveCodEvent, LiveCodMatch } from "../LiveCodMatch.ts"
import { change, compact, event, head, match } from "./exampleMatch.ts"

const next: LiveCodEvent = {
  eventId: "1-159",
  type: "hill_scored",
  at: event.at,
  mapNumber: 1,
  team: 1,
  player: PlayerId.make("able"),
  team1Score: 97,
  team2Score: 71,
}

export const codChannels = matchChannels({
  game: COD,
  title: "Call of Duty",
  subject: "a Call of Duty match",
  full: LiveCodMatch,
  compact: CompactCodMatch,
  event: LiveCodEvent,
  names: { full: "LiveCodMatch", compact: "CompactCodMatch", event: "LiveCodEvent" },
  example: { head, event, match, compact, next, change },
})
