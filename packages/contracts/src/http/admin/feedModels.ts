/** Feed tokens and parked writes (writes that the database rejected) in the admin API. */
import { FeedScope, FeedSource, FeedTokenId } from "@matchpoint/domain/feedTokens"
import { MatchId } from "@matchpoint/domain/ids"
import { Schema } from "effect"
import { Instant } from "../instants.ts"

/** A token to send match data, without its secret. */
export const FeedTokenRow = Schema.Struct({
  tokenId: FeedTokenId,
  /** First characters of the secret. */
  prefix: Schema.String,
  label: Schema.String,
  /** The only match of the token, or `null` for all matches. */
  matchId: FeedScope.fields.matchId,
  /** The only feed of the token, or `null` for both. */
  source: FeedScope.fields.source,
  createdAt: Instant,
  revokedAt: Schema.NullOr(Instant),
  status: Schema.Literals(["active", "revoked"]),
})
export type FeedTokenRow = typeof FeedTokenRow.Type

/** No other response contains the secret. */
export const CreatedFeedToken = Schema.Struct({ ...FeedTokenRow.fields, secret: Schema.String })
export type CreatedFeedToken = typeof CreatedFeedToken.Type

/**
 * The token is for one match, for one source (the main or the backup feed), or for one source of one match. `label` is
 * the schema of the token's label.
 */
export const newFeedToken = <Label extends Schema.Top>(label: Label) =>
  Schema.Struct({ label, matchId: Schema.optionalKey(MatchId), source: Schema.optionalKey(FeedSource) }).check(
    Schema.makeFilter(({ matchId, source }: { readonly matchId?: string; readonly source?: string }) =>
      matchId === undefined && source === undefined
        ? "set matchId, source, or both; the token without a scope is MATCHPOINT_FEED_TOKEN"
        : undefined,
    ),
  )

/** A write about a match that the database rejected because of its content. Retried only when an operator requests it. */
export const ParkedWrite = Schema.Struct({
  matchId: MatchId,
  work: Schema.Literals(["result", "archive"]).annotate({
    description: "`result`: the result in the match register; `archive`: the match in the archive",
  }),
  operation: Schema.String,
  reason: Schema.String,
  /** SQLSTATE, if the database reported one. */
  sqlState: Schema.NullOr(Schema.String),
  /** 1 for the original failure, plus 1 for each requested retry that failed. */
  attempts: Schema.Natural,
  parkedAt: Instant,
  failedAt: Instant,
  /** `null` if no retry has been requested. */
  retryRequestedAt: Schema.NullOr(Instant),
})
export type ParkedWrite = typeof ParkedWrite.Type
