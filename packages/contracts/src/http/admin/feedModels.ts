/** Feed tokens and parked writes in the admin API. */
import { FeedScope, FeedSource, FeedTokenId } from "@matchpoint/domain/feedTokens"
import { MatchId } from "@matchpoint/domain/ids"
import { Schema } from "effect"
import { Instant } from "../instants.ts"

/** A feed token without its secret. */
export const FeedTokenRow = Schema.Struct({
  tokenId: FeedTokenId,
  /** The first characters of the secret, to identify the token. */
  prefix: Schema.String,
  label: Schema.String,
  /** `null` if the token is valid for all matches. */
  matchId: FeedScope.fields.matchId,
  /** `null` if the token is valid for both sources. */
  source: FeedScope.fields.source,
  createdAt: Instant,
  revokedAt: Schema.NullOr(Instant),
  status: Schema.Literals(["active", "revoked"]),
})
export type FeedTokenRow = typeof FeedTokenRow.Type

/** A new feed token with its secret. No other response contains the secret. */
export const CreatedFeedToken = Schema.Struct({ ...FeedTokenRow.fields, secret: Schema.String })
export type CreatedFeedToken = typeof CreatedFeedToken.Type

/**
 * Returns the schema of a request for a feed token, which is limited to one match, one source, or one source of one
 * match. `label` is the schema of labels.
 */
export const newFeedToken = <Label extends Schema.Top>(label: Label) =>
  Schema.Struct({ label, matchId: Schema.optionalKey(MatchId), source: Schema.optionalKey(FeedSource) }).check(
    Schema.makeFilter(({ matchId, source }: { readonly matchId?: string; readonly source?: string }) =>
      matchId === undefined && source === undefined
        ? "set matchId, source, or both; the token without a scope is MATCHPOINT_FEED_TOKEN"
        : undefined,
    ),
  )

/**
 * A write of a match that the database rejected because of its content. It is retried only if an operator requests it.
 */
export const ParkedWrite = Schema.Struct({
  matchId: MatchId,
  work: Schema.Literals(["result", "archive"]).annotate({
    description: "`result`: the result in the match register; `archive`: the match in the archive",
  }),
  operation: Schema.String,
  reason: Schema.String,
  /** Error code of the database (SQLSTATE), if it reported one. */
  sqlState: Schema.NullOr(Schema.String),
  /** Number of times the write was parked: 1, plus one for each failed retry. */
  attempts: Schema.Natural,
  parkedAt: Instant,
  failedAt: Instant,
  /** `null` until an operator requests a retry. */
  retryRequestedAt: Schema.NullOr(Instant),
})
export type ParkedWrite = typeof ParkedWrite.Type
