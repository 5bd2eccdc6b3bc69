/**
 * Builds entries of the audit log. All operators share one admin token, so the actor's name is whatever the caller
 * claims.
 */
import { ADMIN_ACTOR_HEADER, type AdminAction, MAX_ACTOR_LENGTH } from "@matchpoint/contracts/http/admin/AdminApi"
import type { AccountId, ApiKeyId } from "@matchpoint/domain/accounts"
import type { Action } from "@matchpoint/store/keys/AuditLog"
import { Option } from "effect"
import type { HttpServerRequest } from "effect/http"

export type By = Pick<Action, "actor" | "address" | "requestId">

export interface Deed {
  readonly action: AdminAction
  readonly accountId?: AccountId
  readonly keyId?: ApiKeyId
  /** What changed. Never contains a secret. */
  readonly details: unknown
}

export const deed = (by: By, { accountId, action, details, keyId }: Deed): Action => ({
  ...by,
  action,
  accountId: accountId ?? null,
  keyId: keyId ?? null,
  details,
})

/** Returns the name that the caller gave, or `operator`. */
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
