/** Each merge is recorded in the audit log. */
import { paginate } from "@matchpoint/contracts/http/envelope"
import { Conflict, NotFound } from "@matchpoint/contracts/http/errors"
import { answering, auditActor } from "@matchpoint/game/edge/admin/adminAnswers"
import { auditChange } from "@matchpoint/game/edge/admin/auditChange"
import { AuditLog } from "@matchpoint/store/keys/AuditLog"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { type MergeRejected, PlayerMerges } from "../../archive/merges/PlayerMerges.ts"
import { MAX_CANDIDATES, TennisAdminApi } from "../../contract/http/admin/PlayerMergesApi.ts"

export const PlayerMergesHandlers = HttpApiBuilder.group(
  TennisAdminApi,
  "tennis-player-merges",
  Effect.fn(function* (handlers) {
    const merges = yield* PlayerMerges
    const audit = yield* AuditLog
    const by = yield* auditActor

    return handlers.handleAll({
      candidates: answering(function* ({ query }) {
        const { items, meta } = paginate(yield* merges.candidates, query, { max: MAX_CANDIDATES, fallback: MAX_CANDIDATES })
        return { success: true as const, data: items, meta }
      }),
      merge: answering(function* ({ payload: { into, player, reason = null }, request }) {
        const operator = yield* by(request)
        const merged = audit.recorded(merges.merge({ player, into }, { actor: operator.actor, reason }), (done) =>
          auditChange(operator, { action: "tennis_player.merge", details: { ...done, reason } }),
        )
        return { success: true as const, data: yield* Effect.catchTag(merged, "MergeRejected", rejectionText), meta: {} }
      }),
    })
  }),
)

const rejectionText = ({ kind, message }: MergeRejected) =>
  Effect.fail(kind === "unknown_player" ? NotFound.of(message) : Conflict.because(message))
