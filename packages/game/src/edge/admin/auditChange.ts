/**
 * Builds entries of the audit log. All operators share one admin token, so the server cannot verify the operator's name
 * in an entry: it is the name that the caller sent.
 */
import { ADMIN_ACTOR_HEADER, MAX_ACTOR_LENGTH } from "@matchpoint/contracts/http/admin/AdminApi"
import type { AccountId, ApiKeyId } from "@matchpoint/domain/accounts"
import type { Action } from "@matchpoint/store/keys/AuditLog"
import { Option } from "effect"
import type { HttpServerRequest } from "effect/http"

export type AuditActor = Pick<Action, "actor" | "address" | "requestId">

export interface AuditChange {
  /** Name of the action, such as `key.create`. */
  readonly action: string
  readonly accountId?: AccountId
  readonly keyId?: ApiKeyId
  /** Description of what changed. Never contains a secret. */
  readonly details: unknown
}

export const auditChange = (by: AuditActor, { accountId, action, details, keyId }: AuditChange): Action => ({
  ...by,
  action,
  accountId: accountId ?? null,
  keyId: keyId ?? null,
  details,
})

/** Returns the operator's name that the caller sent, or `operator` if the caller sent none. */
export const actorOf = (request: HttpServerRequest.HttpServerRequest): string => {
  const given = request.headers[ADMIN_ACTOR_HEADER] ?? ""
  const name = Option.getOrElse(decoded(given), () => given)
  return (
    name
      .replace(/\p{Cc}+/gu, " ")
      .trim()
      .slice(0, MAX_ACTOR_LENGTH) || "operator"
  )
}

const decoded = Option.liftThrowable(decodeURIComponent)
