/** The calls of LiveRpcs with the documents and facts of CS2: for clients. `ListLive` is to be asked for `{ game: "cs2" }`. */
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

/** A match being played, in short. */
export const LiveRow = LiveMatch.mapFields(Struct.pick(rowFields))

export const liveRowOf = (match: LiveMatch): typeof LiveRow.Type => Struct.pick(match, rowFields)

/** Appended by the watchdog and the match actor only; other services may not send them. */
const ourOwn: ReadonlySet<string> = new Set(["SourceChanged", "HistoryLost", "FeedSilent"])

/** A fact as other services may tell it. */
export const ToldFact = FeedEvent.check(Schema.makeFilter(({ type }) => (ourOwn.has(type) ? `${type} can't be told by others` : undefined)))

export class Cs2Rpcs extends liveRpcs({ ...frameParts, row: LiveRow, fact: ToldFact }) {}
