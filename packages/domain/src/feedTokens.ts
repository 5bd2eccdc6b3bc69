/** Tokens with which feeds send facts, apart from the one in the server's settings: each is for one match, one source, or both. */
import { Schema } from "effect"
import { MatchId } from "./ids.ts"

export const FeedTokenId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("FeedTokenId"))
export type FeedTokenId = typeof FeedTokenId.Type

/** Which of a match's two feeds a fact comes from. */
export const FeedSource = Schema.Literals(["main", "backup"])
export type FeedSource = typeof FeedSource.Type

/** What a token may send facts for. Null: any. At least one of the two is given. */
export const FeedScope = Schema.Struct({ matchId: Schema.NullOr(MatchId), source: Schema.NullOr(FeedSource) })
export type FeedScope = typeof FeedScope.Type

/** `match cs2-match-1001, source backup`, for people. */
export const scopeInWords = ({ matchId, source }: FeedScope): string =>
  [matchId === null ? [] : [`match ${matchId}`], source === null ? [] : [`source ${source}`]].flat().join(", ")
