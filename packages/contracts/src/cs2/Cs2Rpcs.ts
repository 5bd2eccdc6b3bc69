/** The RPCs of `LiveRpcs` with the documents and facts of CS2, for clients. Call `ListLive` with `{ game: "cs2" }`. */
import { FeedEvent } from "@matchpoint/domain/cs2/live/feedEvents"
import { Schema, Struct } from "effect"
import { liveRpcs } from "../rpc/LiveRpcs.ts"
import { frameParts } from "./frames.ts"
import { LiveMatch } from "./LiveMatch.ts"

const rowFields = [
  "matchId",
  "status",
  "source",
  "bestOf",
  "eventName",
  "startedAt",
  "feed",
  "unresolvedTeamNames",
  "updatedAt",
  "seriesScore",
  "currentGame",
  "teams",
] as const

/** Summary of a live match. */
export const LiveRow = LiveMatch.mapFields(Struct.pick(rowFields))

export const liveRowOf = (match: LiveMatch): typeof LiveRow.Type => Struct.pick(match, rowFields)

/** Types that only the watchdog and the match actor may append. Other services must not send them. */
const ourOwn: ReadonlySet<string> = new Set(["SourceChanged", "HistoryLost", "FeedSilent"])

/** A fact that other services may send. */
export const ToldFact = FeedEvent.check(
  Schema.makeFilter(({ type }) => (ourOwn.has(type) ? `${type} cannot be sent: the server creates facts of this type` : undefined)),
)

export class Cs2Rpcs extends liveRpcs({ ...frameParts, row: LiveRow, fact: ToldFact }) {}
