/** A customer's own account: plans, usage, and receipts of streams. Free of charge. */
import { AccountId, ApiKeyId } from "@matchpoint/domain/accounts"
import { streamChannels } from "@matchpoint/domain/metering/leases"
import { Day, Period } from "@matchpoint/domain/metering/periods"
import { AddOn, Feature, Game, Plan } from "@matchpoint/domain/plans"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authentication } from "../Authentication.ts"
import { NoMeta, Paging, pageQuery, success } from "../envelope.ts"
import { NotFound, ServiceUnavailable } from "../errors.ts"
import { Instant } from "../instants.ts"
import { Free, Metering } from "../Metering.ts"
import { QueryRules } from "../QueryRules.ts"
import { RequestRules } from "../RequestRules.ts"

/** Maximum `limit` of each list. Larger values are reduced to it. */
export const accountLimits = { sessions: 200, ticks: 1_000 } as const

export const PlanRow = Schema.Struct({
  plan: Plan,
  requestsPerMonth: Schema.Natural,
  requestsPerSecond: Schema.Natural,
  historyDays: Schema.NullOr(Schema.Natural).annotate({ description: "Days of history in the archive; null means the full archive" }),
  delaySeconds: Schema.Natural,
  games: Schema.Literals(["one", "all"]),
  features: Schema.Array(Feature),
  addOns: Schema.Array(AddOn).annotate({ description: "Add-ons that are sold with the plan" }),
  connections: Schema.Natural.annotate({ description: "Live channels that a key may have open at once" }),
  rooms: Schema.Natural,
  replays: Schema.Natural,
  keys: Schema.Natural,
}).annotate({ identifier: "Plan" })
export type PlanRow = typeof PlanRow.Type

const counts = {
  requests: Schema.Natural.annotate({ description: "Requests answered with data" }),
  streamTicks: Schema.Natural.annotate({ description: "Charged stream ticks: one per connect and one per 15 seconds of an open stream" }),
  total: Schema.Natural,
} as const

export const Usage = Schema.Struct({
  entityType: Schema.Literal("usage"),
  accountId: AccountId,
  plan: Plan,
  addOns: Schema.Array(AddOn),
  game: Schema.NullOr(Game),
  period: Schema.Struct({ period: Period, startsAt: Instant, endsAt: Instant }),
  ...counts,
  quota: Schema.Natural,
  remaining: Schema.Natural.annotate({ description: "Requests left in the period: the quota minus `total` and `misplaced`" }),
  misplaced: Schema.Natural.annotate({
    description: "Requests reserved by gateways that failed before they reported their use. They are not billed and cannot be used",
  }),
  history: Schema.Array(Schema.Struct({ day: Day, ...counts })).annotate({ description: "The last 31 days with usage, newest first" }),
  limits: PlanRow,
}).annotate({ identifier: "Usage" })
export type Usage = typeof Usage.Type

export const StreamSession = Schema.Struct({
  sessionId: Schema.String,
  keyId: ApiKeyId,
  channel: Schema.Literals(streamChannels),
  openedAt: Instant,
  lastTickAt: Instant,
  closedAt: Schema.NullOr(Instant),
  ticks: Schema.Natural.annotate({ description: "Ticks charged in the period, including one for the connect" }),
}).annotate({ identifier: "StreamSession" })
export type StreamSession = typeof StreamSession.Type

const StreamReceipt = Schema.Struct({
  ...StreamSession.fields,
  periods: Schema.Array(Schema.Struct({ period: Period, ticks: Schema.Natural })),
}).annotate({ identifier: "StreamReceipt" })

const SessionsPaging = Schema.Struct({ ...Paging.fields, period: Period, ticks: Schema.Natural }).annotate({ identifier: "SessionsPaging" })

const periodQuery = {
  period: Schema.optionalKey(Period.annotate({ description: "Month, for example `2026-11`. Default: the current month" })),
} as const

const describe = (summary: string, description: string) => OpenApi.annotations({ summary, description })

export class AccountApi extends HttpApiGroup.make("account")
  .add(
    HttpApiEndpoint.get("plans", "/plans", { success: success(Schema.Array(PlanRow), NoMeta) }).annotateMerge(
      describe("Plans", "All plans with their quotas, rates, delay, history and features."),
    ),
    HttpApiEndpoint.get("usage", "/usage", {
      query: periodQuery,
      success: success(Usage, NoMeta),
      error: ServiceUnavailable,
    }).annotateMerge(describe("Usage", "Requests and stream ticks of a month, day by day, and the limits of your plan.")),
    HttpApiEndpoint.get("sessions", "/usage/sessions", {
      query: { ...pageQuery, ...periodQuery },
      success: success(Schema.Array(StreamSession), SessionsPaging),
      error: ServiceUnavailable,
    }).annotateMerge(
      describe(
        "Stream receipts",
        "Streams charged in a month, newest first. `meta.ticks` is the sum over all pages and equals `streamTicks` of the month's usage.",
      ),
    ),
    HttpApiEndpoint.get("session", "/usage/sessions/:sessionId", {
      params: { sessionId: Schema.String },
      success: success(StreamReceipt, NoMeta),
      error: [NotFound, ServiceUnavailable],
    }).annotateMerge(describe("Stream receipt", "One stream of your account, with its ticks by month.")),
  )
  .annotateEndpoints(Free, true)
  .middleware(QueryRules)
  .middleware(Metering)
  .middleware(Authentication)
  .middleware(RequestRules)
  .annotateMerge(
    OpenApi.annotations({
      title: "Account",
      description: "Your plan, your usage and the receipts of your streams. These endpoints are free of charge.",
    }),
  ) {}
