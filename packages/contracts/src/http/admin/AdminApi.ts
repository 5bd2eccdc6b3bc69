/**
 * The admin API, with which operators manage accounts, keys, feed tokens and parked writes (writes that the database
 * rejected). It has its own token, separate from API keys. Every change is recorded in the audit log. Its command-line
 * client is `npm run admin`.
 */
import { AccountId, ApiKeyId, Terms } from "@matchpoint/domain/accounts"
import { FeedTokenId } from "@matchpoint/domain/feedTokens"
import { MatchId } from "@matchpoint/domain/ids"
import { Period } from "@matchpoint/domain/metering/periods"
import { AddOn, Game, Plan } from "@matchpoint/domain/plans"
import { PrintableText } from "@matchpoint/domain/printableText"
import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiMiddleware, HttpApiSecurity, OpenApi } from "effect/http-api"
import { NoMeta, Paging, pageQuery, success } from "../envelope.ts"
import {
  Conflict,
  InternalError,
  InvalidAdminToken,
  NotFound,
  PayloadTooLarge,
  ServiceUnavailable,
  TooManyHandshakes,
  ValidationError,
} from "../errors.ts"
import { Instant } from "../instants.ts"
import { RequestRules } from "../RequestRules.ts"
import { CreatedFeedToken, FeedTokenRow, newFeedToken, ParkedWrite } from "./feedModels.ts"

export const ADMIN_ROOT = "/admin/v1"

export const ADMIN_TOKEN_HEADER = "x-admin-token"

/** Free-text name of the operator, for the audit log. Characters outside ASCII are percent-encoded. */
export const ADMIN_ACTOR_HEADER = "x-admin-actor"

/** Characters. Longer names are truncated. */
export const MAX_ACTOR_LENGTH = 120

/** Larger bodies are rejected. */
export const MAX_ADMIN_BODY_BYTES = 16 * 1024

export const adminLimits = { accounts: 200, audit: 200, feedTokens: 200, parked: 200 } as const

const Label = PrintableText.check(Schema.isTrimmed(), Schema.isMinLength(1), Schema.isMaxLength(120))

export const Account = Schema.Struct({ accountId: AccountId, name: Schema.String, ...Terms.fields, createdAt: Instant })
export type Account = typeof Account.Type

const agreed = {
  /** An operator may grant any add-on, even one that is not sold with the account's plan. */
  addOns: Schema.optionalKey(Schema.Array(AddOn).check(Schema.isMaxLength(10), Schema.isUnique())),
  /** Chosen game. Only for plans that include one game; rejected for all others. */
  game: Schema.optionalKey(Game),
  /** Replaces the quota of the plan. */
  requestsPerMonth: Schema.optionalKey(Schema.Natural.check(Schema.isLessThanOrEqualTo(1e12))),
  requestsPerSecond: Schema.optionalKey(Schema.Natural.check(Schema.isBetween({ minimum: 1, maximum: 1e6 }))),
} as const

export const NewAccount = Schema.Struct({ name: Label, plan: Plan, ...agreed })
export type NewAccount = typeof NewAccount.Type

/**
 * If the plan changes, the quota and the rate limit become those of the new plan, unless the request also sets them.
 * Otherwise, absent fields keep their values.
 */
export const AccountChange = Schema.Struct({ name: Schema.optionalKey(Label), plan: Schema.optionalKey(Plan), ...agreed })
export type AccountChange = typeof AccountChange.Type

/** An API key without its secret. */
export const KeyRow = Schema.Struct({
  keyId: ApiKeyId,
  accountId: AccountId,
  /** First characters of the secret. */
  prefix: Schema.String,
  label: Schema.String,
  createdAt: Instant,
  expiresAt: Schema.NullOr(Instant),
  revokedAt: Schema.NullOr(Instant),
  /** `expiring`: the key has been rotated and stays valid until `expiresAt`. */
  status: Schema.Literals(["active", "expiring", "expired", "revoked"]),
})
export type KeyRow = typeof KeyRow.Type

/** No other response contains the secret. */
export const CreatedKey = Schema.Struct({ keyId: ApiKeyId, accountId: AccountId, prefix: Schema.String, secret: Schema.String })
export type CreatedKey = typeof CreatedKey.Type

/**
 * With `accountId`, the key belongs to that account. With `plan`, it belongs to a new account on that plan, which is
 * named after the label.
 */
export const NewKey = Schema.Union([
  Schema.Struct({ accountId: AccountId, label: Label }),
  Schema.Struct({ plan: Plan, label: Label, ...agreed }),
])
export type NewKey = typeof NewKey.Type

/** `graceHours`: how long the old secret stays valid. */
export const Rotation = Schema.Struct({
  graceHours: Schema.optionalKey(Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 720 }))),
})
export type Rotation = typeof Rotation.Type

export const NewFeedToken = newFeedToken(Label)
export type NewFeedToken = typeof NewFeedToken.Type

export const DEFAULT_GRACE_HOURS = 24

/**
 * Billed usage in one month. `misplaced` counts requests that gateways had reserved before they failed. They are not
 * billed, but the account cannot use them either.
 */
export const AccountUsage = Schema.Struct({
  accountId: AccountId,
  period: Period,
  quota: Schema.Natural,
  requests: Schema.Natural,
  streamTicks: Schema.Natural,
  total: Schema.Natural,
  misplaced: Schema.Natural,
})
export type AccountUsage = typeof AccountUsage.Type

export const AuditEntry = Schema.Struct({
  id: Schema.Natural,
  at: Instant,
  actor: Schema.String,
  address: Schema.NullOr(Schema.String),
  requestId: Schema.String,
  /** Such as `key.create` or `team.merge`. Later releases may add actions. */
  action: Schema.String,
  accountId: Schema.NullOr(AccountId),
  keyId: Schema.NullOr(ApiKeyId),
  details: Schema.Unknown,
})
export type AuditEntry = typeof AuditEntry.Type

/** @effect-expect-leaking HttpServerRequest | ParsedSearchParams | RouteContext */
export class AdminAccess extends HttpApiMiddleware.Service<AdminAccess>()("@matchpoint/contracts/http/admin/AdminApi/AdminAccess", {
  error: InvalidAdminToken,
  security: { adminToken: HttpApiSecurity.apiKey({ key: ADMIN_TOKEN_HEADER, in: "header" }), bearer: HttpApiSecurity.bearer },
}) {}

/** Runs before each request: rejects browser origins and bodies that are too large, and limits wrong tokens. */
export class AdminGate extends HttpApiMiddleware.Service<AdminGate>()("@matchpoint/contracts/http/admin/AdminApi/AdminGate", {
  error: [InvalidAdminToken, ValidationError, PayloadTooLarge, TooManyHandshakes],
}) {}

const errors = [ValidationError, ServiceUnavailable, InternalError] as const
const describe = (summary: string, description: string) => OpenApi.annotations({ summary, description })
const ofAccount = { params: { accountId: AccountId }, error: [...errors, NotFound] } as const
const ofKey = { params: { keyId: ApiKeyId }, error: [...errors, NotFound, Conflict] } as const

export class AdminGroup extends HttpApiGroup.make("admin")
  .add(
    HttpApiEndpoint.get("accounts", "/accounts", {
      query: pageQuery,
      success: success(Schema.Array(Account), Paging),
      error: errors,
    }).annotateMerge(describe("Accounts", "Newest first.")),
    HttpApiEndpoint.post("createAccount", "/accounts", {
      payload: NewAccount,
      success: success(Account, NoMeta),
      error: errors,
    }).annotateMerge(
      describe("Create an account", "Creates an account with a plan and, if given, its own quota. Unknown fields are rejected."),
    ),
    HttpApiEndpoint.get("account", "/accounts/:accountId", { ...ofAccount, success: success(Account, NoMeta) }).annotateMerge(
      describe("An account", "Plan, add-ons, quota and rate of an account."),
    ),
    HttpApiEndpoint.patch("updateAccount", "/accounts/:accountId", {
      ...ofAccount,
      payload: AccountChange,
      success: success(Account, NoMeta),
    }).annotateMerge(
      describe(
        "Change an account",
        "Changes plan, add-ons or quota. Takes effect within 5 seconds. Requests used this month stay counted.",
      ),
    ),
    HttpApiEndpoint.get("accountUsage", "/accounts/:accountId/usage", {
      ...ofAccount,
      query: { period: Schema.optionalKey(Period) },
      success: success(AccountUsage, NoMeta),
    }).annotateMerge(describe("Usage of an account", "Billed requests and stream ticks of a month.")),
    HttpApiEndpoint.get("keys", "/accounts/:accountId/keys", {
      ...ofAccount,
      success: success(Schema.Array(KeyRow), NoMeta),
    }).annotateMerge(describe("Keys of an account", "All keys including revoked ones, newest first.")),
    HttpApiEndpoint.post("createKey", "/keys", {
      payload: NewKey,
      success: success(CreatedKey, NoMeta),
      error: [...errors, NotFound, Conflict],
    }).annotateMerge(describe("Create a key", "The response contains the secret. It is not shown again.")),
    HttpApiEndpoint.post("rotateKey", "/keys/:keyId/rotate", {
      ...ofKey,
      payload: Rotation,
      success: success(CreatedKey, NoMeta),
    }).annotateMerge(
      describe(
        "Rotate a key",
        `Creates a new secret. The old secret works for another \`graceHours\` hours (default ${DEFAULT_GRACE_HOURS}).`,
      ),
    ),
    HttpApiEndpoint.post("revokeKey", "/keys/:keyId/revoke", { ...ofKey, success: success(KeyRow, NoMeta) }).annotateMerge(
      describe("Revoke a key", "Every gateway rejects the key within 5 seconds and closes its open streams."),
    ),
    HttpApiEndpoint.get("feedTokens", "/feed-tokens", {
      query: pageQuery,
      success: success(Schema.Array(FeedTokenRow), Paging),
      error: errors,
    }).annotateMerge(describe("Feed tokens", "Tokens limited to a match or a source, including revoked ones, newest first.")),
    HttpApiEndpoint.post("createFeedToken", "/feed-tokens", {
      payload: NewFeedToken,
      success: success(CreatedFeedToken, NoMeta),
      error: [...errors, NotFound],
    }).annotateMerge(
      describe(
        "Create a feed token",
        "Creates a token for a match, a source, or one source of a match. The response contains the secret. It is not shown again.",
      ),
    ),
    HttpApiEndpoint.post("revokeFeedToken", "/feed-tokens/:tokenId/revoke", {
      params: { tokenId: FeedTokenId },
      success: success(FeedTokenRow, NoMeta),
      error: [...errors, NotFound, Conflict],
    }).annotateMerge(describe("Revoke a feed token", "Every server rejects the token within 5 seconds.")),
    HttpApiEndpoint.get("parked", "/parked", {
      query: pageQuery,
      success: success(Schema.Array(ParkedWrite), Paging),
      error: errors,
    }).annotateMerge(describe("Parked writes", "Writes that the database rejected because of their content, newest failure first.")),
    HttpApiEndpoint.post("retryParked", "/parked/:matchId/retry", {
      params: { matchId: MatchId },
      success: success(Schema.Array(ParkedWrite), NoMeta),
      error: [...errors, NotFound],
    }).annotateMerge(
      describe("Retry a match's parked writes", "The writes are retried within seconds. A write that fails again is parked again."),
    ),
    HttpApiEndpoint.get("audit", "/audit", {
      query: pageQuery,
      success: success(Schema.Array(AuditEntry), Paging),
      error: errors,
    }).annotateMerge(describe("Audit log", "Every change made through the admin API, newest first.")),
  )
  .middleware(RequestRules)
  .middleware(AdminAccess)
  .middleware(AdminGate) {}

/**
 * An admin API without endpoints: `AdminApi` and the games add theirs. Unknown fields are rejected, because a request
 * with a misspelt field would appear to succeed.
 */
export const adminApi = HttpApi.make("matchpoint-admin").annotate(HttpApi.PayloadParseOptions, { onExcessProperty: "error" })

export class AdminApi extends adminApi
  .add(AdminGroup)
  .prefix(ADMIN_ROOT)
  .annotateMerge(
    OpenApi.annotations({
      title: "Matchpoint admin",
      version: "1.0.0",
      description: `Manages accounts, keys, feed tokens and parked writes, for operators. Send the admin token in the header \`${ADMIN_TOKEN_HEADER}\` or as a bearer token.`,
    }),
  ) {}
