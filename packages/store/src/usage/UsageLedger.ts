/**
 * The durable usage ledger: per account and month, how many requests were granted to gateways (reserved from the quota)
 * and how many were served, and the receipts of billed streams.
 */
import { PgClient } from "@effect/sql-pg"
import { AccountId, ApiKeyId } from "@matchpoint/domain/accounts"
import {
  type LeaseReport,
  type SettleAnswer,
  type StreamChannel,
  type StreamReceipt,
  streamChannels,
} from "@matchpoint/domain/metering/leases"
import { Day, Period } from "@matchpoint/domain/metering/periods"
import { Context, Effect, Layer, type Option, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { Counter } from "../Counter.ts"
import { OperationTimeout, type StoreError, storeFn, storeOperation } from "../StoreError.ts"
import { LedgerTime } from "./LedgerTime.ts"
import { makeSettlement } from "./UsageSettlement.ts"

export interface Counts {
  readonly requests: number
  readonly streamTicks: number
}

export interface MonthOfUsage extends Counts {
  readonly period: Period
  readonly quota: number
  /** Requests granted to gateways, whether they were served or not. */
  readonly granted: number
  /** Granted requests that are probably lost: not served, and their gateway has not reported within the last minute. */
  readonly misplaced: number
}

export interface DayOfUsage extends Counts {
  readonly day: Day
}

/** Times are epoch ms. */
export interface StoredSession {
  readonly sessionId: string
  readonly keyId: ApiKeyId
  readonly channel: StreamChannel
  readonly openedAt: number
  readonly lastTickAt: number
  readonly closedAt: number | null
  readonly ticks: number
}

export class UsageLedger extends Context.Service<
  UsageLedger,
  {
    /**
     * Settles reports and receipts, either all of them or none, by the rules of the domain's `settle`. Implements the
     * ledger interface of the metering package.
     */
    readonly settle: (leases: ReadonlyArray<LeaseReport>, receipts: ReadonlyArray<StreamReceipt>) => Effect.Effect<SettleAnswer, StoreError>
    /** Undefined `period`: the current month by the database's clock. None if the account does not exist. */
    readonly month: (accountId: AccountId, period: Period | undefined) => Effect.Effect<Option.Option<MonthOfUsage>, StoreError>
    /** The latest days with usage, at most `limit`, newest first. */
    readonly days: (accountId: AccountId, limit: number) => Effect.Effect<ReadonlyArray<DayOfUsage>, StoreError>
    /**
     * Streams billed in a month, newest first. `total` counts the streams on all pages together, and `ticks` their
     * billing ticks (one per 15 s of streaming).
     */
    readonly sessions: (
      accountId: AccountId,
      period: Period,
      page: { readonly limit: number; readonly offset: number },
    ) => Effect.Effect<{ readonly sessions: ReadonlyArray<StoredSession>; readonly total: number; readonly ticks: number }, StoreError>
    /** One row for each month in which the stream was billed. Empty if the account has no such stream. */
    readonly session: (
      accountId: AccountId,
      sessionId: string,
    ) => Effect.Effect<ReadonlyArray<StoredSession & { readonly period: Period }>, StoreError>
  }
>()("@matchpoint/store/usage/UsageLedger") {
  static readonly layer = Layer.effect(
    UsageLedger,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout
      const time = yield* LedgerTime
      const settle = yield* makeSettlement

      const selectMonth = SqlSchema.findOneOption({
        Request: Schema.Struct({ accountId: AccountId, period: Schema.NullOr(Period), fixed: Schema.NullOr(Schema.Finite) }),
        Result: MonthRow,
        execute: ({ accountId, fixed, period }) => sql`
          WITH moment AS (
            SELECT COALESCE(to_timestamp(${fixed}::double precision / 1000), clock_timestamp()) AS now
          ), month AS (
            SELECT COALESCE(to_date(${period}::text, 'YYYY-MM'), date_trunc('month', now AT TIME ZONE 'UTC')::date) AS period FROM moment
          ), leases AS (
            SELECT l.size, l.seen_at, COALESCE(sum(n.requests), 0) AS requests, COALESCE(sum(n.stream_ticks), 0) AS ticks
            FROM usage_leases l LEFT JOIN usage_lines n USING (lease_id)
            WHERE l.account_id = ${accountId} AND l.period = (SELECT period FROM month)
            GROUP BY l.lease_id
          ), used AS (
            SELECT COALESCE(sum(requests), 0)::bigint AS requests, COALESCE(sum(ticks), 0)::bigint AS ticks,
              COALESCE(sum(GREATEST(0, size - requests - ticks)) FILTER (WHERE seen_at < now - ${ALIVE}::interval), 0)::bigint AS misplaced
            FROM leases, moment
          )
          SELECT to_char(month.period, 'YYYY-MM') AS period, a.requests_per_month AS quota, COALESCE(p.granted, 0) AS granted,
            used.requests, used.ticks AS "streamTicks", used.misplaced
          FROM accounts a CROSS JOIN month CROSS JOIN used
          LEFT JOIN usage_periods p ON p.account_id = a.account_id AND p.period = month.period
          WHERE a.account_id = ${accountId}`,
      })

      const selectDays = SqlSchema.findAll({
        Request: Schema.Struct({ accountId: AccountId, limit: Schema.Natural }),
        Result: DayRow,
        execute: (days) => sql`
          SELECT to_char(day, 'YYYY-MM-DD') AS day, sum(requests)::bigint AS requests, sum(stream_ticks)::bigint AS "streamTicks"
          FROM usage_lines WHERE account_id = ${days.accountId}
          GROUP BY usage_lines.day ORDER BY usage_lines.day DESC LIMIT ${days.limit}`,
      })

      const columns = sql.literal(`
        session_id AS "sessionId", key_id AS "keyId", channel, ticks,
        floor(extract(epoch FROM opened_at) * 1000)::bigint AS "openedAt",
        floor(extract(epoch FROM last_tick_at) * 1000)::bigint AS "lastTickAt",
        floor(extract(epoch FROM closed_at) * 1000)::bigint AS "closedAt"`)

      const selectSessions = SqlSchema.findAll({
        Request: Schema.Struct({ ...Month, limit: Schema.Natural, offset: Schema.Natural }),
        Result: SessionRow,
        execute: (page) => sql`
          SELECT ${columns} FROM stream_sessions
          WHERE account_id = ${page.accountId} AND period = to_date(${page.period}, 'YYYY-MM')
          ORDER BY opened_at DESC, session_id LIMIT ${page.limit} OFFSET ${page.offset}`,
      })

      const sumSessions = SqlSchema.findNonEmpty({
        Request: Schema.Struct(Month),
        Result: Schema.Struct({ total: Counter, ticks: Counter }),
        execute: ({ accountId, period }) => sql`
          SELECT count(*) AS total, COALESCE(sum(ticks), 0)::bigint AS ticks FROM stream_sessions
          WHERE account_id = ${accountId} AND period = to_date(${period}, 'YYYY-MM')`,
      })

      const selectSession = SqlSchema.findAll({
        Request: Schema.Struct({ accountId: AccountId, sessionId: Schema.String }),
        Result: Schema.Struct({ period: Period, ...SessionRow.fields }),
        execute: ({ accountId, sessionId }) => sql`
          SELECT to_char(period, 'YYYY-MM') AS period, ${columns} FROM stream_sessions
          WHERE session_id = ${sessionId} AND account_id = ${accountId}
          ORDER BY stream_sessions.period`,
      })

      return UsageLedger.of({
        settle: storeFn("UsageLedger.settle", limit, settle),
        month: storeFn("UsageLedger.month", limit, function* (accountId, period) {
          return yield* selectMonth({ accountId, period: period ?? null, fixed: yield* time })
        }),
        days: storeFn("UsageLedger.days", limit, (accountId, days) => selectDays({ accountId, limit: days })),
        sessions: storeFn("UsageLedger.sessions", limit, function* (accountId, period, page) {
          const sessions = yield* selectSessions({ accountId, period, ...page })
          // A bug if empty: a sum without GROUP BY returns a row or fails.
          const [sums] = yield* Effect.catchTag(sumSessions({ accountId, period }), "NoSuchElementError", Effect.die)
          return { sessions, ...sums }
        }),
        session: Effect.fn("UsageLedger.session")(
          // The database would reject an id that is not a UUID with an error.
          (accountId, sessionId) => (isUuid(sessionId) ? selectSession({ accountId, sessionId }) : Effect.succeed([])),
          storeOperation("UsageLedger.session", limit),
        ),
      })
    }),
  )
}

/**
 * After this time without a report, the requests granted to a gateway count as lost. A running gateway reports every few
 * seconds while it serves granted requests, and otherwise returns those that it does not need.
 */
const ALIVE = "60 seconds"

const isUuid = Schema.is(Schema.String.check(Schema.isUUID()))

const Month = { accountId: AccountId, period: Period } as const

const MonthRow = Schema.Struct({
  period: Period,
  quota: Counter,
  granted: Counter,
  requests: Counter,
  streamTicks: Counter,
  misplaced: Counter,
})

const DayRow = Schema.Struct({ day: Day, requests: Counter, streamTicks: Counter })

const SessionRow = Schema.Struct({
  sessionId: Schema.String,
  keyId: ApiKeyId,
  channel: Schema.Literals(streamChannels),
  openedAt: Counter,
  lastTickAt: Counter,
  closedAt: Schema.NullOr(Counter),
  ticks: Counter,
})
