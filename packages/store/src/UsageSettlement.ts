/**
 * One exchange of a gateway with the ledger of usage: its reports and receipts in, what it is granted out, in one transaction. What a
 * report does to a month is the domain's `settle`; here is how that is done to stored rows by many gateways at once. Changes of a month
 * are made under the lock of its row, so a report that lands late, its caller long gone, meets the revision that overtook it.
 */
import { PgClient } from "@effect/sql-pg"
import { AccountId } from "@matchpoint/domain/accounts"
import {
  type LeaseAnswer,
  type LeaseReport,
  type SettleAnswer,
  type StoredLease,
  type StreamReceipt,
  settle,
} from "@matchpoint/domain/metering/leases"
import { Period, periodOf } from "@matchpoint/domain/metering/periods"
import { Effect, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { Counter } from "./Counter.ts"
import { LedgerTime } from "./LedgerTime.ts"

/** Five statements, BEGIN and COMMIT among them, whatever the number of reports; the first exchange of a month tries twice. */
export const makeSettlement = Effect.gen(function* () {
  const sql = yield* PgClient.PgClient
  const time = yield* LedgerTime

  /** Months that are not there, of accounts that are. Ordered, so that two gateways at a turn of the month do not deadlock. */
  const open = (months: ReadonlyArray<Month>) => sql`
    INSERT INTO usage_periods (account_id, period)
    SELECT account_id, wanted.period FROM jsonb_to_recordset(${sql.json(months.map(monthRow))}) AS wanted (account_id uuid, period date)
    JOIN accounts USING (account_id)
    ORDER BY account_id, wanted.period
    ON CONFLICT DO NOTHING`

  // Locked in one order by everybody.
  const lock = SqlSchema.findAll({
    Request: Schema.Array(Month),
    Result: MonthRow,
    execute: (months) => sql`
      SELECT p.account_id AS "accountId", to_char(p.period, 'YYYY-MM') AS period, p.granted, a.requests_per_month AS quota
      FROM usage_periods p JOIN accounts a USING (account_id)
      WHERE (p.account_id, p.period) IN
        (SELECT * FROM jsonb_to_recordset(${sql.json(months.map(monthRow))}) AS wanted (account_id uuid, period date))
      ORDER BY p.account_id, p.period
      FOR UPDATE OF p`,
  })

  // A statement of its own after the lock: it sees what the holder before has committed, and its time.
  const read = SqlSchema.findNonEmpty({
    Request: Schema.Struct({ leaseIds: Schema.Array(Schema.String), fixed: Schema.NullOr(Schema.Finite) }),
    Result: LeaseRow,
    execute: ({ fixed, leaseIds }) => sql`
      SELECT clock.now, l.lease_id AS "leaseId", l.size, l.revision
      FROM (SELECT floor(COALESCE(${fixed}::double precision, extract(epoch FROM clock_timestamp()) * 1000))::bigint AS now) clock
      LEFT JOIN usage_leases l ON l.lease_id = ANY(${leaseIds}::uuid[])`,
  })

  /** Lines and receipts are absolute: whichever is larger stays. Receipts in one order, for no lock is on their month. */
  const write = (change: Change, receipts: ReadonlyArray<StreamReceipt>, now: number) => sql`
    WITH months AS (
      UPDATE usage_periods p SET granted = changed.granted
      FROM jsonb_to_recordset(${sql.json(change.months)}) AS changed (account_id uuid, period date, granted bigint)
      WHERE p.account_id = changed.account_id AND p.period = changed.period AND p.granted <> changed.granted
    ), leases AS (
      INSERT INTO usage_leases (lease_id, account_id, period, gateway_id, size, revision, opened_at, seen_at)
      SELECT lease_id, account_id, period, gateway_id, size, revision, moment.at, moment.at
      FROM jsonb_to_recordset(${sql.json(change.leases)})
        AS changed (lease_id uuid, account_id uuid, period date, gateway_id uuid, size bigint, revision bigint),
        (SELECT to_timestamp(${now}::double precision / 1000) AS at) moment
      ON CONFLICT (lease_id) DO UPDATE SET size = excluded.size, revision = excluded.revision, seen_at = excluded.seen_at
    ), lines AS (
      INSERT INTO usage_lines AS stored (lease_id, day, account_id, requests, stream_ticks)
      SELECT * FROM jsonb_to_recordset(${sql.json(change.lines)})
        AS changed (lease_id uuid, day date, account_id uuid, requests bigint, stream_ticks bigint)
      ON CONFLICT (lease_id, day) DO UPDATE
      SET requests = GREATEST(stored.requests, excluded.requests), stream_ticks = GREATEST(stored.stream_ticks, excluded.stream_ticks)
    )
    INSERT INTO stream_sessions AS stored
      (session_id, period, account_id, key_id, channel, opened_at, ticks, last_tick_at, closed_at)
    SELECT session_id, period, account_id, key_id, channel, to_timestamp(opened_at / 1000), ticks, to_timestamp(last_tick_at / 1000),
      to_timestamp(closed_at / 1000)
    FROM jsonb_to_recordset(${sql.json(receipts.map(receiptRow))})
      AS receipt (session_id uuid, period date, account_id uuid, key_id uuid, channel text, opened_at double precision, ticks bigint,
        last_tick_at double precision, closed_at double precision)
    JOIN accounts USING (account_id)
    ORDER BY session_id, period
    ON CONFLICT (session_id, period) DO UPDATE
    SET ticks = GREATEST(stored.ticks, excluded.ticks), last_tick_at = GREATEST(stored.last_tick_at, excluded.last_tick_at),
      closed_at = COALESCE(excluded.closed_at, stored.closed_at)`

  const readAt = (fixed: number | null, leaseIds: ReadonlyArray<string>) =>
    // The clock is a row also when there are no leases, so an empty answer is a bug, not a case.
    Effect.map(Effect.catchTag(read({ leaseIds, fixed }), "NoSuchElementError", Effect.die), (rows) => ({
      now: rows[0].now,
      leases: rows.flatMap(({ leaseId, revision, size }) =>
        leaseId === null || size === null || revision === null ? [] : [{ leaseId, size, revision }],
      ),
    }))

  /** Undefined: a month is missing, and nothing was done. */
  const exchange = Effect.fnUntraced(function* (
    reports: ReadonlyArray<LeaseReport>,
    receipts: ReadonlyArray<StreamReceipt>,
    wanted: ReadonlyArray<Month>,
    ifMissing: "leave" | "skip",
  ) {
    const months = yield* lock(wanted)
    if (months.length < wanted.length && ifMissing === "leave") return undefined
    const fixed = yield* time
    const { leases, now } = yield* readAt(
      fixed,
      reports.map(({ leaseId }) => leaseId),
    )
    const { answers, change } = applied(reports, months, leases, periodOf(now))
    yield* write(change, receipts, now)
    return { now, leases: answers } satisfies SettleAnswer
  }, sql.withTransaction)

  return Effect.fnUntraced(function* (reports: ReadonlyArray<LeaseReport>, receipts: ReadonlyArray<StreamReceipt>) {
    if (reports.length === 0 && receipts.length === 0) {
      const { now } = yield* readAt(yield* time, [])
      return { now, leases: [] } satisfies SettleAnswer
    }
    const months = [...new Map(reports.map(({ accountId, period }) => [`${accountId} ${period}`, { accountId, period }])).values()]
    const answer = yield* exchange(reports, receipts, months, "leave")
    if (answer !== undefined) return answer
    // Not in the transaction: who opens a month while holding another could deadlock with who does it the other way round.
    yield* open(months)
    // What is missing now has no account: deleted by hand, its last words are nobody's bill.
    return (yield* exchange(reports, receipts, months, "skip")) ?? (yield* Effect.die(new Error("an exchange without an answer")))
  })
})

const Month = Schema.Struct({ accountId: AccountId, period: Period })
type Month = typeof Month.Type

const MonthRow = Schema.Struct({ ...Month.fields, granted: Counter, quota: Counter })

const LeaseRow = Schema.Struct({
  now: Counter,
  leaseId: Schema.NullOr(Schema.String),
  size: Schema.NullOr(Counter),
  revision: Schema.NullOr(Counter),
})

/** Rows as SQL takes them. */
interface Change {
  readonly months: ReadonlyArray<object>
  readonly leases: ReadonlyArray<object>
  readonly lines: ReadonlyArray<object>
}

/** Of several reports on one month each finds what those before it have left. */
const applied = (
  reports: ReadonlyArray<LeaseReport>,
  months: ReadonlyArray<typeof MonthRow.Type>,
  stored: ReadonlyArray<StoredLease & { readonly leaseId: string }>,
  current: Period,
): { readonly answers: ReadonlyArray<LeaseAnswer>; readonly change: Change } => {
  const books = new Map(months.map((month) => [`${month.accountId} ${month.period}`, { ...month }]))
  const leases = new Map<string, StoredLease>(stored.map((lease) => [lease.leaseId, lease]))
  const leaseRows = new Map<string, object>()
  const lineRows: Array<object> = []
  const answers = reports.map((report): LeaseAnswer => {
    const { accountId, gatewayId, leaseId, period, revision } = report
    const book = books.get(`${accountId} ${period}`)
    if (book === undefined) return { leaseId, granted: 0, quota: 0, left: 0 }
    const want = period === current ? report.want : 0
    const { counts, given, granted, size } = settle({ ...report, want }, leases.get(leaseId), book.granted, book.quota)
    book.granted = given
    if (counts) {
      leases.set(leaseId, { size, revision })
      leaseRows.set(leaseId, { lease_id: leaseId, ...monthRow(report), gateway_id: gatewayId, size, revision })
    }
    for (const { day, requests, streamTicks } of report.lines) {
      lineRows.push({ lease_id: leaseId, day, account_id: accountId, requests, stream_ticks: streamTicks })
    }
    return { leaseId, granted, quota: book.quota, left: Math.max(0, book.quota - given) }
  })
  const monthRows = [...books.values()].map((month) => ({ ...monthRow(month), granted: month.granted }))
  return { answers, change: { months: monthRows, leases: [...leaseRows.values()], lines: lineRows } }
}

const monthRow = ({ accountId, period }: { readonly accountId: string; readonly period: string }) => ({
  account_id: accountId,
  period: `${period}-01`,
})

const receiptRow = (receipt: StreamReceipt) => ({
  ...monthRow(receipt),
  session_id: receipt.sessionId,
  key_id: receipt.keyId,
  channel: receipt.channel,
  opened_at: receipt.openedAt,
  ticks: receipt.ticks,
  last_tick_at: receipt.lastTickAt,
  closed_at: receipt.closedAt,
})
