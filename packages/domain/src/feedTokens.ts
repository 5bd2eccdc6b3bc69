/**
 * Tokens with which a feed may send events, limited to one match, one source, or one source of one match. The feed
 * token in the server's configuration has no such limit.
 */
import { Schema } from "effect"
import { MatchId } from "./ids.ts"

export const FeedTokenId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("FeedTokenId"))
export type FeedTokenId = typeof FeedTokenId.Type

/** The source of an event: the main feed or the backup feed of a match. */
export const FeedSource = Schema.Literals(["main", "backup"])
export type FeedSource = typeof FeedSource.Type

/**
 * The match and the source for which a token may send events. `null` means that any match or any source is allowed. At
 * least one of the two fields is not null.
 */
export const FeedScope = Schema.Struct({ matchId: Schema.NullOr(MatchId), source: Schema.NullOr(FeedSource) })
export type FeedScope = typeof FeedScope.Type

/**
 * Describes in words the match and the source to which a token is limited, e.g. `match cs2-match-1001, source backup`.
 */
export const scopeInWords = ({ matchId, source }: FeedScope): string =>
  [matchId === null ? [] : [`match ${matchId}`], source === null ? [] : [`source ${source}`]].flat().join(", ")
