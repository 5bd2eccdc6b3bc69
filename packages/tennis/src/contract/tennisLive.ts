import { matchContract } from "@matchpoint/game/contract/matchContract"
import { Struct } from "effect"
import { TENNIS } from "../rules/game.ts"
import { FeedEvent } from "../rules/live/feedEvents.ts"
import { tennisDocument } from "./CompactTennisMatch.ts"
import { LiveTennisMatch } from "./LiveTennisMatch.ts"

const rowFields = [
  "id",
  "status",
  "source",
  "silence",
  "tour",
  "tournament",
  "format",
  "side1",
  "side2",
  "sets",
  "game",
  "momentum",
  "suspended_at",
  "started_at",
  "updated_at",
] as const

/** For lists. */
export const LiveTennisRow = LiveTennisMatch.mapFields(Struct.pick(rowFields)).annotate({ identifier: "LiveTennisRow" })
export type LiveTennisRow = typeof LiveTennisRow.Type

export const liveRowOf = (match: LiveTennisMatch): LiveTennisRow => Struct.pick(match, rowFields)

export const tennisLive = matchContract({
  game: TENNIS,
  event: FeedEvent,
  document: tennisDocument,
  isAtOrPast: ({ game, sets }, set, number) => {
    const current = Object.keys(sets).length
    return current > set || (current === set && (game?.game ?? Number.POSITIVE_INFINITY) >= number)
  },
  rowOf: liveRowOf,
})
