/** The tennis implementation of `LiveContract`, the interface through which game-independent code processes matches. */
import { MatchId } from "@matchpoint/domain/ids"
import { TENNIS } from "@matchpoint/domain/tennis/game"
import { FeedEvent, internalTypes } from "@matchpoint/domain/tennis/live/feedEvents"
import { Result, Schema, Struct } from "effect"
import type { LiveContract } from "../game/LiveContract.ts"
import type { CompactTennisMatch } from "./CompactTennisMatch.ts"
import { fullOf, layout } from "./fullOf.ts"
import { LiveTennisMatch } from "./LiveTennisMatch.ts"

const isMatchId = Schema.is(MatchId)
const prefix = `${TENNIS}-match-`

/** Id of a live tennis match, `tennis-match-<n>`. */
export const isLiveMatchId = (text: string): text is MatchId => text.startsWith(prefix) && isMatchId(text)

/** An event of a type that other services may send. They may also create matches, as a registration does. */
const ExternalFact = FeedEvent.check(
  Schema.makeFilter(({ type }) =>
    type !== "MatchCreated" && internalTypes.has(type) ? `${type} cannot be sent: the server creates facts of this type` : undefined,
  ),
)
const decodeFact = Schema.decodeUnknownResult(ExternalFact)

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

/** Summary of a live match, for lists. */
export const LiveTennisRow = LiveTennisMatch.mapFields(Struct.pick(rowFields)).annotate({ identifier: "LiveTennisRow" })
export type LiveTennisRow = typeof LiveTennisRow.Type

export const liveRowOf = (match: LiveTennisMatch): LiveTennisRow => Struct.pick(match, rowFields)

export const tennisLive: LiveContract<LiveTennisMatch, CompactTennisMatch> = {
  game: TENNIS,
  isMatchId: isLiveMatchId,
  layout,
  statusOf: ({ status }) => status,
  sourceOf: ({ source }) => source,
  isAtOrPast: ({ game, sets }, set, number) => {
    const current = Object.keys(sets).length
    return current > set || (current === set && (game?.game ?? Number.POSITIVE_INFINITY) >= number)
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
