/** What a customer can see of his own account: the plans there are, his usage, and the receipts of his streams. Never costs a request. */
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
import { RequestRules } from "../RequestRules.ts"

/** Maximum `limit` per list; larger values are reduced to it. */
export const accountLimits = { sessions: 200, ticks: 1_000 } as const

export const PlanRow = Schema.Struct({
  plan: Plan,
  requestsPerMonth: Schema.Natural,
  requestsPerSecond: Schema.Natural,
  historyDays: Schema.NullOr(Schema.Natural).annotate({ description: "Archive depth; null is the full archive" }),
  delaySeconds: Schema.Natural,
  games: Schema.Literals(["one", "all"]),
  features: Schema.Array(Feature),
  addOns: Schema.Array(AddOn).annotate({ description: "What can be bought on top" }),
  connections: Schema.Natural.annotate({ description: "Live channels open at once, per key" }),
  rooms: Schema.Natural,
  replays: Schema.Natural,
  keys: Schema.Natural,
}).annotate({ identifier: "Plan" })
export type PlanRow = typeof PlanRow.Type

const counts = {
  requests: Schema.Natural.annotate({ description: "Answered requests" }),
  streamTicks: Schema.Natural.annotate({ description: "Connects and 15-second intervals of open streams" }),
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
  remaining: Schema.Natural.annotate({ description: "Of the quota, not used and not misplaced" }),
  misplaced: Schema.Natural.annotate({
    description: "Given to gateways that died before they could say whether they had served it: not billed, and not served again",
  }),
  history: Schema.Array(Schema.Struct({ day: Day, ...counts })).annotate({ description: "The last 31 days with use, newest first" }),
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
  ticks: Schema.Natural.annotate({ description: "Charged in the period; the connect is one" }),
}).annotate({ identifier: "StreamSession" })
export type StreamSession = typeof StreamSession.Type

const StreamReceipt = Schema.Struct({
  ...StreamSession.fields,
  periods: Schema.Array(Schema.Struct({ period: Period, ticks: Schema.Natural })),
}).annotate({ identifier: "StreamReceipt" })

const SessionsPaging = Schema.Struct({ ...Paging.fields, period: Period, ticks: Schema.Natural }).annotate({ identifier: "SessionsPaging" })

const periodQuery = { period: Schema.optionalKey(Period.annotate({ description: "A month, `2026-11`; default the current one" })) } as const

const describe = (summary: string, description: string) => OpenApi.annotations({ summary, description })

export class AccountApi extends HttpApiGroup.make("account")
  .add(
    HttpApiEndpoint.get("plans", "/plans", { success: success(Schema.Array(PlanRow), NoMeta) }).annotateMerge(
      describe("Plans", "The table of plans: quotas, rates, delay, history, features."),
    ),
    HttpApiEndpoint.get("usage", "/usage", {
      query: periodQuery,
      success: success(Usage, NoMeta),
      error: ServiceUnavailable,
    }).annotateMerge(describe("Usage", "This month's requests and streams, day by day, and the limits of the plan.")),
    HttpApiEndpoint.get("sessions", "/usage/sessions", {
      query: { ...pageQuery, ...periodQuery },
      success: success(Schema.Array(StreamSession), SessionsPaging),
      error: ServiceUnavailable,
    }).annotateMerge(
      describe(
        "Receipts of streams",
        "Streams charged in a month, newest first; `meta.ticks` sums all of them and equals `streamTicks` of the month's usage.",
      ),
    ),
    HttpApiEndpoint.get("session", "/usage/sessions/:sessionId", {
      params: { sessionId: Schema.String },
      success: success(StreamReceipt, NoMeta),
      error: [NotFound, ServiceUnavailable],
    }).annotateMerge(describe("One receipt", "A stream of yours, with its ticks by month.")),
  )
  .annotateEndpoints(Free, true)
  .middleware(Metering)
  .middleware(Authentication)
  .middleware(RequestRules)
  .annotateMerge(
    OpenApi.annotations({ title: "Account", description: "Your plan, your usage, the receipts of your streams. Costs nothing." }),
  ) {}
