/**
 * Accounts, keys, feed tokens and parked writes, for operators: a token of its own, apart from API keys, and not part of the public API. Whatever is changed here is
 * in the audit log. `npm run admin` calls it.
 */
import { AccountId, ApiKeyId, Terms } from "@matchpoint/domain/accounts"
import { FeedTokenId } from "@matchpoint/domain/feedTokens"
import { MatchId } from "@matchpoint/domain/ids"
import { Period } from "@matchpoint/domain/metering/periods"
import { AddOn, Game, Plan } from "@matchpoint/domain/plans"
import { StorableText } from "@matchpoint/domain/storableText"
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

/** The root of the admin API; every path below is relative to it. */
export const ADMIN_ROOT = "/admin/v1"

export const ADMIN_TOKEN_HEADER = "x-admin-token"

/** Who acts, in his own words, percent-encoded where they are not ASCII; for the audit log. */
export const ADMIN_ACTOR_HEADER = "x-admin-actor"

/** Of an actor's words, characters; more are cut off. */
export const MAX_ACTOR_LENGTH = 120

/** Bodies beyond this are refused, bytes. */
export const MAX_ADMIN_BODY_BYTES = 16 * 1024

export const adminLimits = { accounts: 200, audit: 200, feedTokens: 200, parked: 200 } as const

const Label = StorableText.check(Schema.isTrimmed(), Schema.isMinLength(1), Schema.isMaxLength(120))

export const Account = Schema.Struct({ accountId: AccountId, name: Schema.String, ...Terms.fields, createdAt: Instant })
export type Account = typeof Account.Type

const agreed = {
  /** An operator may grant one to any account, also where the plan does not sell it. */
  addOns: Schema.optionalKey(Schema.Array(AddOn).check(Schema.isMaxLength(10), Schema.isUnique())),
  /** Of a plan for one game; refused with all others. */
  game: Schema.optionalKey(Game),
  /** Instead of the plan's. */
  requestsPerMonth: Schema.optionalKey(Schema.Natural.check(Schema.isLessThanOrEqualTo(1e12))),
  requestsPerSecond: Schema.optionalKey(Schema.Natural.check(Schema.isBetween({ minimum: 1, maximum: 1e6 }))),
} as const

export const NewAccount = Schema.Struct({ name: Label, plan: Plan, ...agreed })
export type NewAccount = typeof NewAccount.Type

/** A new plan brings its own quota and rate unless others are given; without one, what is not given stays. */
export const AccountChange = Schema.Struct({ name: Schema.optionalKey(Label), plan: Schema.optionalKey(Plan), ...agreed })
export type AccountChange = typeof AccountChange.Type

/** What is known of a key; the secret is not. */
export const KeyRow = Schema.Struct({
  keyId: ApiKeyId,
  accountId: AccountId,
  /** The secret's first characters, to recognise it by. */
  prefix: Schema.String,
  label: Schema.String,
  createdAt: Instant,
  expiresAt: Schema.NullOr(Instant),
  revokedAt: Schema.NullOr(Instant),
  /** `expiring`: it was rotated and works until `expiresAt`. */
  status: Schema.Literals(["active", "expiring", "expired", "revoked"]),
})
export type KeyRow = typeof KeyRow.Type

/** The only time the secret is shown. */
export const CreatedKey = Schema.Struct({ keyId: ApiKeyId, accountId: AccountId, prefix: Schema.String, secret: Schema.String })
export type CreatedKey = typeof CreatedKey.Type

/** With `accountId`, a key for that account; with `plan`, an account of its own for it, named after the label. */
export const NewKey = Schema.Union([
  Schema.Struct({ accountId: AccountId, label: Label }),
  Schema.Struct({ plan: Plan, label: Label, ...agreed }),
])
export type NewKey = typeof NewKey.Type

/** Hours for which the old secret works beside the new one. */
export const Rotation = Schema.Struct({
  graceHours: Schema.optionalKey(Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 720 }))),
})
export type Rotation = typeof Rotation.Type

export const NewFeedToken = newFeedToken(Label)
export type NewFeedToken = typeof NewFeedToken.Type

export const DEFAULT_GRACE_HOURS = 24

/** The bill of a month. `misplaced` was given out to gateways that died with it: not billed, and not served again. */
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

/** What can be found in the audit log. */
export type AdminAction =
  | "account.create"
  | "account.update"
  | "key.create"
  | "key.rotate"
  | "key.revoke"
  | "feed_token.create"
  | "feed_token.revoke"
  | "match.retry"

export const AuditEntry = Schema.Struct({
  id: Schema.Natural,
  at: Instant,
  actor: Schema.String,
  address: Schema.NullOr(Schema.String),
  requestId: Schema.String,
  /** An AdminAction; a later release may know more. */
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

/** What holds before anything is looked at: no web pages, small bodies, few wrong tokens. */
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
    }).annotateMerge(describe("Create an account", "With a plan, and a quota of its own if one is given. Unknown fields are refused.")),
    HttpApiEndpoint.get("account", "/accounts/:accountId", { ...ofAccount, success: success(Account, NoMeta) }).annotateMerge(
      describe("An account", "What it has agreed to."),
    ),
    HttpApiEndpoint.patch("updateAccount", "/accounts/:accountId", {
      ...ofAccount,
      payload: AccountChange,
      success: success(Account, NoMeta),
    }).annotateMerge(describe("Change an account", "Plan, add-ons, quota. Works within 5 seconds; what was used this month stays used.")),
    HttpApiEndpoint.get("accountUsage", "/accounts/:accountId/usage", {
      ...ofAccount,
      query: { period: Schema.optionalKey(Period) },
      success: success(AccountUsage, NoMeta),
    }).annotateMerge(describe("Usage of an account", "The bill of a month.")),
    HttpApiEndpoint.get("keys", "/accounts/:accountId/keys", {
      ...ofAccount,
      success: success(Schema.Array(KeyRow), NoMeta),
    }).annotateMerge(describe("Keys of an account", "Revoked ones too, newest first.")),
    HttpApiEndpoint.post("createKey", "/keys", {
      payload: NewKey,
      success: success(CreatedKey, NoMeta),
      error: [...errors, NotFound, Conflict],
    }).annotateMerge(describe("Create a key", "The answer has the secret, once.")),
    HttpApiEndpoint.post("rotateKey", "/keys/:keyId/rotate", {
      ...ofKey,
      payload: Rotation,
      success: success(CreatedKey, NoMeta),
    }).annotateMerge(
      describe("Rotate a key", `A new secret; the old one works for \`graceHours\` more, ${DEFAULT_GRACE_HOURS} unless given.`),
    ),
    HttpApiEndpoint.post("revokeKey", "/keys/:keyId/revoke", { ...ofKey, success: success(KeyRow, NoMeta) }).annotateMerge(
      describe("Revoke a key", "Refused by every gateway within 5 seconds; its open streams end."),
    ),
    HttpApiEndpoint.get("feedTokens", "/feed-tokens", {
      query: pageQuery,
      success: success(Schema.Array(FeedTokenRow), Paging),
      error: errors,
    }).annotateMerge(describe("Feed tokens", "For one match or source each. Revoked ones too, newest first.")),
    HttpApiEndpoint.post("createFeedToken", "/feed-tokens", {
      payload: NewFeedToken,
      success: success(CreatedFeedToken, NoMeta),
      error: [...errors, NotFound],
    }).annotateMerge(describe("Create a feed token", "For a match, a source, or a source of a match. The answer has the secret, once.")),
    HttpApiEndpoint.post("revokeFeedToken", "/feed-tokens/:tokenId/revoke", {
      params: { tokenId: FeedTokenId },
      success: success(FeedTokenRow, NoMeta),
      error: [...errors, NotFound, Conflict],
    }).annotateMerge(describe("Revoke a feed token", "Refused by every server within 5 seconds.")),
    HttpApiEndpoint.get("parked", "/parked", {
      query: pageQuery,
      success: success(Schema.Array(ParkedWrite), Paging),
      error: errors,
    }).annotateMerge(
      describe("Parked writes", "Writes of matches that the database refuses for what is in them. The newest failure first."),
    ),
    HttpApiEndpoint.post("retryParked", "/parked/:matchId/retry", {
      params: { matchId: MatchId },
      success: success(Schema.Array(ParkedWrite), NoMeta),
      error: [...errors, NotFound],
    }).annotateMerge(describe("Retry a match's parked writes", "They are tried within seconds. One that fails again is parked again.")),
    HttpApiEndpoint.get("audit", "/audit", {
      query: pageQuery,
      success: success(Schema.Array(AuditEntry), Paging),
      error: errors,
    }).annotateMerge(describe("Audit log", "Every change made here, newest first.")),
  )
  .middleware(RequestRules)
  .middleware(AdminAccess)
  .middleware(AdminGate) {}

export class AdminApi extends HttpApi.make("matchpoint-admin")
  .add(AdminGroup)
  .prefix(ADMIN_ROOT)
  .annotateMerge(
    OpenApi.annotations({
      title: "Matchpoint admin",
      version: "1.0.0",
      description: `Accounts, keys, feed tokens and parked writes, for operators. The admin token goes into the header \`${ADMIN_TOKEN_HEADER}\` or is sent as a bearer token.`,
    }),
  )
  // A change that is spelt wrong must not look done.
  .annotate(HttpApi.PayloadParseOptions, { onExcessProperty: "error" }) {}
