import { matchChannels } from "@matchpoint/game/contract/matchChannels"
import { TENNIS } from "../../rules/game.ts"
import { CompactTennisMatch } from "../CompactTennisMatch.ts"
import { LiveTennisEvent, LiveTennisMatch } from "../LiveTennisMatch.ts"
import { change, compact, event, head, match } from "./exampleMatch.ts"

const next = { ...event, eventId: "1-59", point: 5, winner: 2, kind: "ace" } as const

export const tennisChannels = matchChannels({
  game: TENNIS,
  title: "tennis",
  subject: "a tennis match",
  full: LiveTennisMatch,
  compact: CompactTennisMatch,
  event: LiveTennisEvent,
  names: { full: "LiveTennisMatch", compact: "CompactTennisMatch", event: "LiveTennisEvent" },
  example: { head, event, match, compact, next, change },
})
