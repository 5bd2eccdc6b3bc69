/**
 * Facts need the token from the settings, that of the match's registration, or one that an operator has issued for a match
 * or a source.
 */
import { FeedTokenScope, type InvalidFeedToken, type ServiceUnavailable, type TooManyHandshakes } from "@matchpoint/contracts/http/errors"
import { FEED_TOKEN_HEADER } from "@matchpoint/contracts/http/feed/FactsApi"
import { type FeedScope, type FeedSource, scopeInWords } from "@matchpoint/domain/feedTokens"
import { Context, Effect } from "effect"
import type { Headers } from "effect/http"

/** `null` allows everything, which only the token from the settings does. */
export type FeedGrant = FeedScope | null

export type TokenRefused = InvalidFeedToken | TooManyHandshakes | ServiceUnavailable

export class FeedToken extends Context.Service<
  FeedToken,
  {
    /**
     * Checks the first defined token in `candidates`. After too many wrong tokens the address is rejected, except for
     * tokens that have already been accepted from it: a working feed continues even if another sender at the same
     * address is misconfigured.
     */
    readonly check: (address: string, candidates: ReadonlyArray<string | undefined>) => Effect.Effect<FeedGrant, TokenRefused>
    /** Fails after too many wrong tokens of the address. Call this before reading a body that has the token. */
    readonly checkAttemptLimit: (address: string) => Effect.Effect<void, TooManyHandshakes>
  }
>()("@matchpoint/game/feed/intake/FeedToken") {}

export const permit = (grant: FeedGrant, matchId: string, source: FeedSource | undefined): Effect.Effect<void, FeedTokenScope> => {
  if (grant === null) return Effect.void
  if (grant.matchId !== null && grant.matchId !== matchId) return notFor(grant, `match ${matchId.slice(0, 60)}`)
  return source !== undefined && grant.source !== null && grant.source !== source ? notFor(grant, `source ${source}`) : Effect.void
}

/** Only the token from the settings has full access. `what` names the operation in the error message. */
export const requireFullAccess = (grant: FeedGrant, what: string): Effect.Effect<void, FeedTokenScope> =>
  grant === null
    ? Effect.void
    : Effect.fail(FeedTokenScope.because(`this feed token is for ${scopeInWords(grant)}; ${what} needs the token of MATCHPOINT_FEED_TOKEN`))

/** Only the token from the settings permits facts that create a match. `creates` is called only for other tokens. */
export const permitFact = (
  grant: FeedGrant,
  { creates, matchId, source }: { readonly matchId: string; readonly source: FeedSource; readonly creates: () => boolean },
): Effect.Effect<void, FeedTokenScope> =>
  Effect.andThen(
    permit(grant, matchId, source),
    Effect.suspend(() => (grant !== null && creates() ? requireFullAccess(grant, "creating a match") : Effect.void)),
  )

const notFor = (grant: FeedScope, what: string) =>
  Effect.fail(
    FeedTokenScope.because(`this feed token is for ${scopeInWords(grant)}, not for ${what}; use one that is, or ask the operator`),
  )

/** Tokens in the headers and the query string. An element is undefined if the request has no token in that place. */
export const tokensOf = (headers: Headers.Headers, query: { readonly token?: string | undefined }): ReadonlyArray<string | undefined> => {
  const bearer = /^Bearer (.+)$/i.exec(headers["authorization"] ?? "")?.[1]
  return [headers[FEED_TOKEN_HEADER], bearer, query.token]
}
