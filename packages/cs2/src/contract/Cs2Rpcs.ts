/** The RPCs of `LiveRpcs` with CS2 documents and facts. To list CS2 matches, call `ListLive` with `{ game: "cs2" }`. */
import { liveRpcs } from "@matchpoint/contracts/rpc/LiveRpcs"
import { Schema, Struct } from "effect"
import { FeedEvent } from "../rules/live/feedEvents.ts"
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

/** Facts that only the server appends: the watchdog, which detects silent feeds, and the actor of the match. */
const internalTypes: ReadonlySet<string> = new Set(["SourceChanged", "HistoryLost", "FeedSilent"])

/** A fact of a type that other services may send. */
export const ExternalFact = FeedEvent.check(
  Schema.makeFilter(({ type }) => (internalTypes.has(type) ? `${type} cannot be sent: the server creates facts of this type` : undefined)),
)

export class Cs2Rpcs extends liveRpcs({ ...frameParts, row: LiveRow, fact: ExternalFact }) {}
