/** Converts database rows to the rows that the admin API returns. */
import type { Account, AccountUsage, AuditEntry, CreatedKey, KeyRow } from "@matchpoint/contracts/http/admin/AdminApi"
import type { CreatedFeedToken, FeedTokenRow, ParkedWrite } from "@matchpoint/contracts/http/admin/feedModels"
import type { AccountId, Terms } from "@matchpoint/domain/accounts"
import type { StoredAccount } from "@matchpoint/store/keys/Accounts"
import type { AuditRow } from "@matchpoint/store/keys/AuditLog"
import type { FeedTokenWithSecret, StoredFeedToken } from "@matchpoint/store/keys/FeedTokens"
import type { ApiKeyWithSecret, StoredKey } from "@matchpoint/store/keys/KeyRegister"
import type { ParkedMatch } from "@matchpoint/store/live/ParkedMatches"
import type { MonthOfUsage } from "@matchpoint/store/usage/UsageLedger"
import { Redacted, Struct } from "effect"

export const accountRow = ({ createdAt, ...account }: StoredAccount): Account => ({ ...account, createdAt: iso(createdAt) })

/** The agreed terms without id and name. */
export const termsOfAccount = (account: StoredAccount): Terms => Struct.pick(account, termNames)

export const keyRow = (key: StoredKey): KeyRow => ({
  keyId: key.keyId,
  accountId: key.accountId,
  prefix: key.prefix,
  label: key.label,
  createdAt: iso(key.createdAt),
  expiresAt: key.expiresAt === null ? null : iso(key.expiresAt),
  revokedAt: key.revokedAt === null ? null : iso(key.revokedAt),
  status: statusOf(key),
})

/** The only place where the secret of a key leaves the service. */
export const createdKey = ({ key, secret }: ApiKeyWithSecret): CreatedKey => ({
  keyId: key.keyId,
  accountId: key.accountId,
  prefix: key.prefix,
  secret: Redacted.value(secret),
})

export const usageRow = (accountId: AccountId, month: MonthOfUsage): AccountUsage => ({
  accountId,
  period: month.period,
  quota: month.quota,
  requests: month.requests,
  streamTicks: month.streamTicks,
  total: month.requests + month.streamTicks,
  misplaced: month.misplaced,
})

export const auditEntry = ({ at, ...row }: AuditRow): AuditEntry => ({ ...row, at: iso(at) })

export const feedTokenRow = ({ createdAt, revokedAt, ...token }: StoredFeedToken): FeedTokenRow => ({
  ...token,
  createdAt: iso(createdAt),
  revokedAt: revokedAt === null ? null : iso(revokedAt),
  status: revokedAt === null ? "active" : "revoked",
})

/** The only place where the secret of a feed token leaves the service. */
export const createdFeedToken = ({ secret, token }: FeedTokenWithSecret): CreatedFeedToken => ({
  ...feedTokenRow(token),
  secret: Redacted.value(secret),
})

export const parkedWrite = ({ failedAt, parkedAt, retryRequestedAt, ...write }: ParkedMatch): ParkedWrite => ({
  ...write,
  parkedAt: iso(parkedAt),
  failedAt: iso(failedAt),
  retryRequestedAt: retryRequestedAt === null ? null : iso(retryRequestedAt),
})

export const statusOf = ({ active, expiresAt, revokedAt }: StoredKey): KeyRow["status"] => {
  if (revokedAt !== null) return "revoked"
  if (!active) return "expired"
  return expiresAt === null ? "active" : "expiring"
}

const termNames = ["plan", "addOns", "game", "requestsPerMonth", "requestsPerSecond"] as const

const iso = (at: number): string => new Date(at).toISOString()
