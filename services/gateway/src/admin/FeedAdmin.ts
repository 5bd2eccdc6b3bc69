/**
 * Operators' changes of feed tokens and parked writes (writes of match data that the database rejected). Each is
 * written with its audit entry in one transaction.
 */
import type { NewFeedToken } from "@matchpoint/contracts/http/admin/AdminApi"
import { Conflict, NotFound } from "@matchpoint/contracts/http/errors"
import type { FeedTokenId } from "@matchpoint/domain/feedTokens"
import type { MatchId } from "@matchpoint/domain/ids"
import { type AuditActor, auditChange } from "@matchpoint/game/edge/admin/auditChange"
import { AuditLog } from "@matchpoint/store/keys/AuditLog"
import { FeedTokens, type FeedTokenWithSecret, type StoredFeedToken } from "@matchpoint/store/keys/FeedTokens"
import { Matches } from "@matchpoint/store/live/Matches"
import { type ParkedMatch, ParkedMatches } from "@matchpoint/store/live/ParkedMatches"
import type { StoreError } from "@matchpoint/store/StoreError"
import { Context, Effect, Layer, Option } from "effect"

export class FeedAdmin extends Context.Service<
  FeedAdmin,
  {
    /** Fails with `NotFound` if the token is for a match that is not registered. */
    readonly createToken: (token: NewFeedToken, by: AuditActor) => Effect.Effect<FeedTokenWithSecret, NotFound | StoreError>
    /** Fails with `Conflict` if the token is already revoked. */
    readonly revokeToken: (tokenId: FeedTokenId, by: AuditActor) => Effect.Effect<StoredFeedToken, NotFound | Conflict | StoreError>
    /** Requests another attempt for the parked writes of a match. Fails with `NotFound` if there are none. */
    readonly retryParked: (matchId: MatchId, by: AuditActor) => Effect.Effect<ReadonlyArray<ParkedMatch>, NotFound | StoreError>
  }
>()("@matchpoint/service-gateway/admin/FeedAdmin") {
  static readonly layer = Layer.effect(
    FeedAdmin,
    Effect.gen(function* () {
      const tokens = yield* FeedTokens
      const matches = yield* Matches
      const parked = yield* ParkedMatches
      const audit = yield* AuditLog

      return FeedAdmin.of({
        createToken: Effect.fn("FeedAdmin.createToken")(function* ({ label, matchId = null, source = null }, by) {
          if (matchId !== null && Option.isNone(yield* matches.find(matchId))) {
            return yield* NotFound.of(`match ${matchId} is not registered; register it first`)
          }
          return yield* audit.recorded(tokens.create(label, { matchId, source }), ({ token: { prefix, tokenId } }) =>
            auditChange(by, { action: "feed_token.create", details: { tokenId, prefix, label, matchId, source } }),
          )
        }),

        revokeToken: Effect.fn("FeedAdmin.revokeToken")(function* (tokenId, by) {
          const revoking = Effect.gen(function* () {
            if (Option.isNone(yield* tokens.get(tokenId))) return yield* NotFound.of(`no feed token has the id ${tokenId}`)
            const revoked = yield* tokens.revoke(tokenId)
            return Option.isSome(revoked) ? revoked.value : yield* Conflict.because(`feed token ${tokenId} is already revoked`)
          })
          return yield* audit.recorded(revoking, ({ label, matchId, prefix, source }) =>
            auditChange(by, { action: "feed_token.revoke", details: { tokenId, prefix, label, matchId, source } }),
          )
        }),

        retryParked: Effect.fn("FeedAdmin.retryParked")(function* (matchId, by) {
          const asking = Effect.flatMap(parked.retry(matchId), (writes) =>
            writes.length === 0 ? Effect.fail(NotFound.of(`match ${matchId} has no parked writes`)) : Effect.succeed(writes),
          )
          return yield* audit.recorded(asking, (writes) =>
            auditChange(by, { action: "match.retry", details: { matchId, works: writes.map(({ work }) => work) } }),
          )
        }),
      })
    }),
  )
}
