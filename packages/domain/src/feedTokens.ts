/** Tokens with which a feed may send facts of one match, from one source, or both. The configured token has no such limit. */
import { Schema } from "effect"
import { MatchId } from "./ids.ts"

export const FeedTokenId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("FeedTokenId"))
export type FeedTokenId = typeof FeedTokenId.Type

/** The main feed or the backup feed of a match. */
export const FeedSource = Schema.Literals(["main", "backup"])
export type FeedSource = typeof FeedSource.Type

/** `null` allows every match or every source. At least one of the two fields is not null. */
export const FeedScope = Schema.Struct({ matchId: Schema.NullOr(MatchId), source: Schema.NullOr(FeedSource) })
export type FeedScope = typeof FeedScope.Type

/** For example `match cs2-match-1001, source backup`. */
export const scopeInWords = ({ matchId, source }: FeedScope): string =>
  [matchId === null ? [] : [`match ${matchId}`], source === null ? [] : [`source ${source}`]].flat().join(", ")
