/** Collects the evidence after the load and runs the checks on it. */
import { Effect, Schedule } from "effect"
import { type BillReport, checkBill } from "../check/bills.ts"
import { checkDeliveries, type DeliveriesReport } from "../check/deliveries.ts"
import { checkDocument } from "../check/documents.ts"
import { type ExpectedMatch, expectedMatch } from "../check/expected.ts"
import { checkLiveLog } from "../check/liveLog.ts"
import type { ClientsOrder, ClientsReport, Reached } from "../load/clients/orders.ts"
import type { FedMatch, Finished } from "../load/feeds/orders.ts"
import { plannedMatch } from "../load/feeds/plannedMatch.ts"
import type { Receiver } from "../load/receiver.ts"
import type { Worker } from "../load/Worker.ts"
import type { Demands } from "../scenarios/Scenario.ts"
import type { System } from "../system/System.ts"
import { billedTicks, servedDocument } from "./accounts.ts"
import type { Customers } from "./customers.ts"
import { liveRecordIds } from "./liveRecords.ts"

export interface Evidence {
  readonly system: System
  readonly clients: Worker<ClientsOrder>
  readonly accounts: Customers
  readonly receiver: Receiver
  readonly fed: Finished
  readonly seed: number
  /** Facts per match that the feeds have planned, because the choice of a match depends on it. */
  readonly length: number
  readonly demands: Demands
  readonly keep: boolean
}

const REACHED_WITHIN_MS = 45_000
const DELIVERED_WITHIN_MS = 45_000
/** Gateways report the use of closed streams every 2 seconds. */
const BILLED_AFTER = "5 seconds"
/** Findings of one kind that are listed. */
const LISTED = 10

export const inspect = Effect.fn("fault.inspect")(function* (evidence: Evidence) {
  const { accounts, clients, demands, fed, keep, length, receiver, seed, system } = evidence
  const findings: Array<string> = []
  const report = (kind: string, found: ReadonlyArray<string>) => {
    findings.push(...found.slice(0, LISTED))
    if (found.length > LISTED) findings.push(`${found.length - LISTED} more findings about ${kind}`)
  }
  report("feeds", fed.matches.flatMap(feedFindings))
  // Facts without an answer may or may not be stored, so that the state of their matches is not known.
  const answered = fed.matches.filter(({ unanswered }) => unanswered === 0)
  const expected = answered.map((match) => expectedOf(seed, length, match))
  const seqs = Object.fromEntries(expected.map(({ matchId, seq }) => [matchId, seq]))

  const reached = yield* clients.ask<Reached>({ kind: "reach", seqs, withinMs: REACHED_WITHIN_MS }, REACHED_WITHIN_MS + 30_000)
  if (reached.behind > 0) report("clients", [`${reached.behind} clients did not get every update: ${reached.examples.join("; ")}`])
  report("documents", yield* documentFindings(evidence, expected))
  report("the log", yield* logFindings(system, expected, demands))
  const unknown = new Set(fed.matches.flatMap(({ matchId, unanswered }) => (unanswered === 0 ? [] : [matchId])))
  const webhooks = yield* deliveriesOf(receiver, expected, unknown)
  report("webhooks", webhooks.findings)

  const folder = keep ? system.workspace.folder("transcripts") : undefined
  const { findings: violations, use, ...seen } = yield* clients.ask<ClientsReport>({ kind: "report", folder }, 120_000)
  report("transcripts", violations)
  if (seen.violations > violations.length) findings.push(`${seen.violations - violations.length} more violations in transcripts`)
  if (demands.mayMissAnnounced !== true && seen.announced > 0) findings.push(`${seen.announced} frames were announced as missing`)
  if (demands.mayMissAnnounced !== true) {
    for (const [verdict, times] of Object.entries(seen.verdicts)) {
      if (verdict !== "recovered") findings.push(`${times} clients got the verdict ${verdict} instead of recovered`)
    }
  }

  yield* Effect.sleep(BILLED_AFTER)
  const bills: Array<BillReport> = []
  for (const group of use) {
    const account = accounts.ofGroup.get(group.name)
    const gateway = system.of("gateway").find(({ program }) => program.isRunning)
    if (account === undefined || gateway === undefined) continue
    bills.push(checkBill(group, yield* billedTicks(gateway, account.accountId), demands.billsReconnects))
  }
  for (const { group, secondConnects } of bills) {
    if (secondConnects > 0)
      findings.push(`the account ${group} was billed ${secondConnects} ticks too many: reconnects were billed as connects`)
  }
  const { delivered, expected: expectedDeliveries, repeated } = webhooks
  return { findings, clients: seen, bills, webhooks: { delivered, expected: expectedDeliveries, repeated } }
})

const expectedOf = (seed: number, length: number, { acknowledged, matchId, number, observedAt }: FedMatch): ExpectedMatch =>
  expectedMatch(matchId, plannedMatch(seed, number, length), observedAt.slice(0, acknowledged))

const feedFindings = ({ matchId, problems, unanswered }: FedMatch): ReadonlyArray<string> => [
  ...(unanswered === 0 ? [] : [`${unanswered} facts of ${matchId} were never acknowledged`]),
  ...problems.slice(0, 2).map((problem) => `the feed of ${matchId} got a problem: ${problem}`),
]

/** Every gateway must serve the final document of every match. */
const documentFindings = ({ accounts, system }: Evidence, expected: ReadonlyArray<ExpectedMatch>) =>
  Effect.forEach(
    system.of("gateway").flatMap((gateway) => expected.map((match) => ({ gateway, match }))),
    ({ gateway, match }) => {
      const look = Effect.map(servedDocument(gateway, accounts.reader, match.matchId), (document) =>
        checkDocument(match, { gateway: gateway.name, document }),
      )
      return look.pipe(Effect.repeat({ until: (found) => found.length === 0, schedule: Schedule.spaced("200 millis"), times: 10 }))
    },
    { concurrency: 8 },
  ).pipe(Effect.map((found) => found.flat()))

const logFindings = Effect.fnUntraced(function* (system: System, expected: ReadonlyArray<ExpectedMatch>, { mayReset }: Demands) {
  const { epochs, findings, seqs } = checkLiveLog(yield* liveRecordIds(system.nats))
  const wrong = expected.flatMap(({ matchId, seq }) =>
    seqs.get(matchId) === seq ? [] : [`LIVE has ${matchId} up to ${seqs.get(matchId)}, but its facts give ${seq}`],
  )
  return [...findings, ...wrong, ...(epochs === 0 || mayReset === true ? [] : [`${epochs} new epochs began: history was lost`])]
})

/** Waits until every expected event was delivered, or the time is over. */
const deliveriesOf = (
  receiver: Receiver,
  expected: ReadonlyArray<ExpectedMatch>,
  unknown: ReadonlySet<string>,
): Effect.Effect<DeliveriesReport> =>
  Effect.sync(() => checkDeliveries(expected, receiver.deliveries, unknown)).pipe(
    Effect.repeat({
      until: ({ findings }) => findings.length === 0,
      schedule: Schedule.spaced("500 millis"),
      times: Math.ceil(DELIVERED_WITHIN_MS / 500),
    }),
  )
