/** What the admin API shows of feed tokens and of writes that are parked. */
import { FeedScope, FeedSource, FeedTokenId } from "@matchpoint/domain/feedTokens"
import { MatchId } from "@matchpoint/domain/ids"
import { Schema } from "effect"
import { Instant } from "../instants.ts"

/** What is known of a feed token; the secret is not. */
export const FeedTokenRow = Schema.Struct({
  tokenId: FeedTokenId,
  /** The secret's first characters, to recognise it by. */
  prefix: Schema.String,
  label: Schema.String,
  /** Null: matches of any number. */
  matchId: FeedScope.fields.matchId,
  /** Null: both. */
  source: FeedScope.fields.source,
  createdAt: Instant,
  revokedAt: Schema.NullOr(Instant),
  status: Schema.Literals(["active", "revoked"]),
})
export type FeedTokenRow = typeof FeedTokenRow.Type

/** The only time the secret is shown. */
export const CreatedFeedToken = Schema.Struct({ ...FeedTokenRow.fields, secret: Schema.String })
export type CreatedFeedToken = typeof CreatedFeedToken.Type

/** `label`: the schema of labels. A token is for one match, one source, or one source of one match. */
export const newFeedToken = <Label extends Schema.Top>(label: Label) =>
  Schema.Struct({ label, matchId: Schema.optionalKey(MatchId), source: Schema.optionalKey(FeedSource) }).check(
    Schema.makeFilter(({ matchId, source }: { readonly matchId?: string; readonly source?: string }) =>
      matchId === undefined && source === undefined
        ? "give matchId, source, or both; the token for everything is MATCHPOINT_FEED_TOKEN"
        : undefined,
    ),
  )

/** A write of a match that the database refuses for what is in it. It is not tried again until an operator asks for it. */
export const ParkedWrite = Schema.Struct({
  matchId: MatchId,
  work: Schema.Literals(["result", "archive"]).annotate({
    description: "`result`: the end of the match in the register; `archive`: the match in the archive",
  }),
  operation: Schema.String,
  reason: Schema.String,
  /** The database's code (SQLSTATE), if it named one. */
  sqlState: Schema.NullOr(Schema.String),
  /** Times that it was parked: 1, and one for each retry that failed. */
  attempts: Schema.Natural,
  parkedAt: Instant,
  failedAt: Instant,
  /** Null: it waits for an operator. */
  retryRequestedAt: Schema.NullOr(Instant),
})
export type ParkedWrite = typeof ParkedWrite.Type
