/**
 * Entries of the audit log. All operators share one admin token: the name is the one that the caller sent, unverified.
 */
import { ADMIN_ACTOR_HEADER, MAX_ACTOR_LENGTH } from "@matchpoint/contracts/http/admin/AdminApi"
import type { AccountId, ApiKeyId } from "@matchpoint/domain/accounts"
import type { Action } from "@matchpoint/store/keys/AuditLog"
import { Option } from "effect"
import type { HttpServerRequest } from "effect/http"

export type AuditActor = Pick<Action, "actor" | "address" | "requestId">

export interface AuditChange {
  /** Name such as `key.create`. */
  readonly action: string
  readonly accountId?: AccountId
  readonly keyId?: ApiKeyId
  /** Never contains a secret. */
  readonly details: unknown
}

export const auditChange = (by: AuditActor, { accountId, action, details, keyId }: AuditChange): Action => ({
  ...by,
  action,
  accountId: accountId ?? null,
  keyId: keyId ?? null,
  details,
})

/** `operator` if the caller sent no name. */
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
