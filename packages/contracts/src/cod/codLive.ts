/** The Call of Duty implementation of `LiveContract`, through which game-independent code processes matches. */
import { COD } from "@matchpoint/domain/cod/game"
import { FeedEvent, internalTypes } from "@matchpoint/domain/cod/live/feedEvents"
import { MatchId } from "@matchpoint/domain/ids"
import { Result, Schema, Struct } from "effect"
import type { LiveContract } from "../game/LiveContract.ts"
import type { CompactCodMatch } from "./CompactCodMatch.ts"
import { fullOf, layout } from "./fullOf.ts"
import { CodTeam, LiveCodMatch } from "./LiveCodMatch.ts"

const isMatchId = Schema.is(MatchId)
const prefix = `${COD}-match-`

/** Id of a live Call of Duty match, `cod-match-<n>`. */
export const isLiveMatchId = (text: string): text is MatchId => text.startsWith(prefix) && isMatchId(text)

/** An event of a type that other services may send. They may also create matches, as a registration does. */
const ExternalFact = FeedEvent.check(
  Schema.makeFilter(({ type }) =>
    type !== "MatchCreated" && internalTypes.has(type) ? `${type} cannot be sent: the server creates facts of this type` : undefined,
  ),
)
const decodeFact = Schema.decodeUnknownResult(ExternalFact)

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

/** Summary of a live match, for lists. It has no players. */
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

export const codLive: LiveContract<LiveCodMatch, CompactCodMatch> = {
  game: COD,
  isMatchId: isLiveMatchId,
  layout,
  statusOf: ({ status }) => status,
  sourceOf: ({ source }) => source,
  // In hardpoint, a hill is what a round is in other modes.
  isAtOrPast: ({ currentMap, maps }, map, round) => {
    const started = Object.values(maps).filter(({ status }) => status !== "upcoming").length
    if (started !== map) return started > map
    return currentMap === undefined || (currentMap.round?.round ?? currentMap.hill?.hill ?? 0) >= round
  },
  extrasAfter: () => ({}),
  rowOf: (state) => liveRowOf(fullOf(state)),
  readFact: (fact) =>
    Result.mapBoth(decodeFact(fact), {
      onSuccess: (event) => ({ event, creates: event.type === "MatchCreated" }),
      onFailure: String,
    }),
  fullOf,
  fullText: (state) => JSON.stringify(fullOf(state)),
}
