/**
 * Sends a gateway's usage reports and stream receipts to the usage ledger and returns the newly granted requests, in one
 * SQL statement that is applied completely or not at all. Calls the SQL function of migration 0004.
 */
import { PgClient } from "@effect/sql-pg"
import type { LeaseReport, SettleAnswer, StreamReceipt } from "@matchpoint/domain/metering/leases"
import { Effect, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { Counter } from "../Counter.ts"
import { LedgerTime } from "./LedgerTime.ts"

export const makeSettlement = Effect.gen(function* () {
  const sql = yield* PgClient.PgClient
  const time = yield* LedgerTime

  const ask = SqlSchema.findNonEmpty({
    Request: Schema.Struct({
      reports: Schema.Array(Row),
      lines: Schema.Array(Row),
      receipts: Schema.Array(Row),
      fixed: Schema.NullOr(Schema.Finite),
    }),
    Result: Schema.Struct({ now: Counter, answers: Schema.Array(Answer) }),
    execute: ({ fixed, lines, receipts, reports }) => sql`
      SELECT told_at AS now, answers
      FROM settle_usage(${sql.json(reports)}, ${sql.json(lines)}, ${sql.json(receipts)}, ${fixed}::double precision)`,
  })

  return Effect.fnUntraced(function* (reports: ReadonlyArray<LeaseReport>, receipts: ReadonlyArray<StreamReceipt>) {
    const question = { reports: reportRows(reports), lines: reports.flatMap(lineRows), receipts: receipts.map(receiptRow) }
    // A bug if empty: a function call returns a row or fails.
    const [{ answers, now }] = yield* Effect.catchTag(ask({ ...question, fixed: yield* time }), "NoSuchElementError", Effect.die)
    // A report without an answer is about an account that was deleted manually. Its last usage is not billed.
    const leases = reports.map(({ leaseId }) => ({ leaseId, granted: 0, quota: 0, left: 0 }))
    for (const [n, granted, quota, left] of answers) Object.assign(leases[n] ?? {}, { granted, quota, left })
    return { now, leases } satisfies SettleAnswer
  })
})

/** Arguments are JSON arrays of such objects, which the function reads like table rows. */
const Row = Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Finite, Schema.Null]))
type Row = typeof Row.Type

/** Index of the report, number of requests granted, quota, and number of requests left of the quota. */
const Answer = Schema.Tuple([Schema.Natural, Schema.Natural, Schema.Natural, Schema.Natural])

/**
 * `turn` numbers the reports of the same account and month, so that the function applies each to the result of the one
 * before.
 */
const reportRows = (reports: ReadonlyArray<LeaseReport>): ReadonlyArray<Row> => {
  const turns = new Map<string, number>()
  return reports.map((report, n) => {
    const month = `${report.accountId} ${report.period}`
    const turn = (turns.get(month) ?? 0) + 1
    turns.set(month, turn)
    return {
      n,
      turn,
      ...monthRow(report),
      lease_id: report.leaseId,
      gateway_id: report.gatewayId,
      revision: report.revision,
      size: report.size,
      want: report.want,
      give_back: report.giveBack,
      owed: report.owed,
    }
  })
}

const lineRows = ({ leaseId, lines }: LeaseReport): ReadonlyArray<Row> =>
  lines.map(({ day, requests, streamTicks }) => ({ lease_id: leaseId, day, requests, stream_ticks: streamTicks }))

const receiptRow = (receipt: StreamReceipt): Row => ({
  ...monthRow(receipt),
  session_id: receipt.sessionId,
  key_id: receipt.keyId,
  channel: receipt.channel,
  opened_at: receipt.openedAt,
  ticks: receipt.ticks,
  last_tick_at: receipt.lastTickAt,
  closed_at: receipt.closedAt,
})

const monthRow = ({ accountId, period }: { readonly accountId: string; readonly period: string }) => ({
  account_id: accountId,
  period: `${period}-01`,
})
