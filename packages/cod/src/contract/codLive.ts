import { matchContract } from "@matchpoint/game/contract/matchContract"
import { Struct } from "effect"
import { COD } from "../rules/game.ts"
import { FeedEvent } from "../rules/live/feedEvents.ts"
import { codDocument } from "./CompactCodMatch.ts"
import { CodTeam, LiveCodMatch } from "./LiveCodMatch.ts"

const rowFields = [
  "matchId",
  "status",
  "source",
  "silence",
  "tournament",
  "round",
  "bestOf",
  "currentMap",
  "maps",
  "suspension",
  "winner",
  "startedAt",
  "updatedAt",
] as const

const RowTeam = CodTeam.mapFields(Struct.pick(["slug", "name", "score"]))

/** For lists. It has no players. */
export const LiveCodRow = LiveCodMatch.mapFields((fields) => ({
  ...Struct.pick(fields, rowFields),
  team1: RowTeam,
  team2: RowTeam,
})).annotate({ identifier: "LiveCodRow" })
export type LiveCodRow = typeof LiveCodRow.Type

const liveRowOf = (match: LiveCodMatch): LiveCodRow => ({
  ...Struct.pick(match, rowFields),
  team1: rowTeamOf(match.team1),
  team2: rowTeamOf(match.team2),
})

const rowTeamOf = ({ name, score, slug }: CodTeam) => ({ slug, name, score })

export const codLive = matchContract({
  game: COD,
  event: FeedEvent,
  document: codDocument,
  // In hardpoint, a hill is what a round is in other modes.
  isAtOrPast: ({ currentMap, maps }, map, round) => {
    const started = Object.values(maps).filter(({ status }) => status !== "upcoming").length
    if (started !== map) return started > map
    return currentMap === undefined || (currentMap.round?.round ?? currentMap.hill?.hill ?? 0) >= round
  },
  rowOf: liveRowOf,
})
