/** Models of the admin API for feed tokens and for parked writes (writes that the database rejected). */
import { FeedScope, FeedSource, FeedTokenId } from "@matchpoint/domain/feedTokens"
import { MatchId } from "@matchpoint/domain/ids"
import { Schema } from "effect"
import { Instant } from "../instants.ts"

/** A feed token, without its secret. The token allows its holder to send match data. */
export const FeedTokenRow = Schema.Struct({
  tokenId: FeedTokenId,
  /** The first characters of the secret, to identify the token. */
  prefix: Schema.String,
  label: Schema.String,
  /** The only match for which the token is valid, or `null` if it is valid for all matches. */
  matchId: FeedScope.fields.matchId,
  /** The only feed, main or backup, for which the token is valid, or `null` if it is valid for both. */
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
 * Returns the schema of a request to create a feed token. The token is valid for one match only, for one source only
 * (the main or the backup feed), or for one source of one match. `label` is the schema of the token's label.
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
 * A parked write: a write about a match that the database rejected because of its content. It is retried only when an
 * operator requests it.
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
  /**
   * Number of times the database has rejected the write: 1 for the original failure, plus 1 for each requested retry
   * that failed.
   */
  attempts: Schema.Natural,
  parkedAt: Instant,
  failedAt: Instant,
  /** Time when an operator requested a retry, or `null` if no retry has been requested. */
  retryRequestedAt: Schema.NullOr(Instant),
})
export type ParkedWrite = typeof ParkedWrite.Type
