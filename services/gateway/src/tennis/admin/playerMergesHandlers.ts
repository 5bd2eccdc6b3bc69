/** Handlers of the admin endpoints that merge tennis players. Each merge is recorded in the audit log. */
import { MAX_CANDIDATES, TennisAdminApi } from "@matchpoint/contracts/http/admin/tennis/PlayerMergesApi"
import { paginate } from "@matchpoint/contracts/http/envelope"
import { Conflict, NotFound } from "@matchpoint/contracts/http/errors"
import { clientAddress } from "@matchpoint/process/http/clientAddress"
import { CurrentRequest } from "@matchpoint/process/http/requestId"
import { AuditLog } from "@matchpoint/store/keys/AuditLog"
import { type MergeRejected, PlayerMerges } from "@matchpoint/store/tennis/merges/PlayerMerges"
import { Effect, Option } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answering } from "../../admin/adminHandlers.ts"
import { actorOf } from "../../admin/auditChange.ts"
import { GatewayConfig } from "../../GatewayConfig.ts"

export const PlayerMergesHandlers = HttpApiBuilder.group(
  TennisAdminApi,
  "tennis-player-merges",
  Effect.fn(function* (handlers) {
    const merges = yield* PlayerMerges
    const audit = yield* AuditLog
    const { behindProxy } = yield* GatewayConfig

    return handlers.handleAll({
      candidates: answering(function* ({ query }) {
        const { items, meta } = paginate(yield* merges.candidates, query, { max: MAX_CANDIDATES, fallback: MAX_CANDIDATES })
        return { success: true as const, data: items, meta }
      }),
      merge: answering(function* ({ payload: { into, player, reason = null }, request }) {
        const { requestId } = yield* CurrentRequest
        const actor = actorOf(request)
        const address = clientAddress(request.headers, Option.getOrUndefined(request.remoteAddress), behindProxy)
        const merged = audit.recorded(merges.merge({ player, into }, { actor, reason }), (done) => ({
          actor,
          address,
          requestId,
          action: "tennis_player.merge",
          accountId: null,
          keyId: null,
          details: { ...done, reason },
        }))
        return { success: true as const, data: yield* Effect.catchTag(merged, "MergeRejected", rejectionText), meta: {} }
      }),
    })
  }),
)

const rejectionText = ({ kind, message }: MergeRejected) =>
  Effect.fail(kind === "unknown_player" ? NotFound.of(message) : Conflict.because(message))
