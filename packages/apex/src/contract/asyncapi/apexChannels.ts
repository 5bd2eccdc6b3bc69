import { matchChannels } from "@matchpoint/game/contract/matchChannels"
import { APEX } from "../../rules/game.ts"
import { CompactApexMatch } from "../CompactApexMatch.ts"
import { LiveApexEvent, LiveApexMatch } from "../LiveApexMatch.ts"
import { change, compact, event, head, match } from "./exampleLobby.ts"

const next = { ...event, eventId: "1-59", type: "kill", cause: "player", eliminated: { team: 2, placement: 2 } } as const

export const apexChannels = matchChannels({
  game: APEX,
  title: "Apex",
  subject: "an Apex lobby",
  full: LiveApexMatch,
  compact: CompactApexMatch,
  event: LiveApexEvent,
  names: { full: "LiveApexMatch", compact: "CompactApexMatch", event: "LiveApexEvent" },
  example: { head, event, match, compact, next, change },
})
