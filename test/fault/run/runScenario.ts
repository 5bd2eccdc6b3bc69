/** Runs one scenario once: system, load, fault, recovery, checks. */
import { loadavg } from "node:os"
import { Random } from "@matchpoint/simulator/random"
import { Clock, Effect } from "effect"
import { describeMachine } from "../../load/lib/machine.ts"
import type { Window } from "../check/pauses.ts"
import type { ClientsOrder, Connected, Pauses } from "../load/clients/orders.ts"
import type { FeedsStatus, Finished, Registered } from "../load/feeds/orders.ts"
import { startReceiver } from "../load/receiver.ts"
import { startClients, startFeeds, type Worker } from "../load/Worker.ts"
import type { Scenario, Size, World } from "../scenarios/Scenario.ts"
import { clientPort, FEED_TOKEN } from "../system/MatchpointNode.ts"
import { startSystem } from "../system/System.ts"
import { makeWorkspace } from "../system/Workspace.ts"
import { openAccounts, untilListed } from "./customers.ts"
import { inspect } from "./inspect.ts"
import { pauseSummary } from "./pauseSummary.ts"
import type { Verdict } from "./Verdict.ts"

export interface RunOptions {
  readonly seed: number
  readonly size: Size
  /** Keeps the folder of the run with data, logs and transcripts. */
  readonly keep: boolean
  /** Commit of the older version, for scenarios that run two. */
  readonly otherCommit: string
  /** Called with each step, for progress on a terminal. */
  readonly onStep: (text: string) => void
}

/** How long the feeds may need after the load until every fact is acknowledged. */
const ACKNOWLEDGED_WITHIN_MS = 60_000
const SETTLE_MS = 1_000

export const runScenario = Effect.fn("fault.runScenario")(function* (
  scenario: Scenario,
  { keep, onStep, otherCommit, seed, size }: RunOptions,
) {
  const startedAt = performance.now()
  const load = scenario.load[size]
  const findings: Array<string> = []
  const notes: Array<string> = []
  // Other work on the machine lengthens pauses.
  notes.push(`${yield* Effect.promise(describeMachine)}, load average ${loadavg()[0]?.toFixed(1)} at the start`)
  const step = (text: string) => Effect.sync(() => onStep(text))

  const workspace = yield* makeWorkspace(keep)
  if (keep) notes.push(`folder of the run: ${workspace.path}`)
  const receiver = yield* startReceiver(workspace)
  yield* step("starting PostgreSQL, NATS and Matchpoint")
  const system = yield* startSystem(workspace, scenario.topology, { certificate: receiver.certificate, otherCommit })
  const gateways = system.of("gateway")
  const running = gateways.filter(({ program }) => program.isRunning)
  const accounts = yield* openAccounts(running, load.clients, receiver.url)

  yield* step(`registering ${load.matches} matches`)
  const feeds = yield* startFeeds
  const seconds = load.secondsBefore + load.secondsAfter + 60
  const length = load.factsPerMatch ?? Math.ceil(load.factsPerSecond * seconds)
  const { matchIds } = yield* feeds.ask<Registered>(
    {
      kind: "register",
      intakes: system.of("feed").map(({ port }) => `http://127.0.0.1:${port}`),
      token: FEED_TOKEN,
      seed,
      matches: load.matches,
      length,
    },
    300_000,
  )
  yield* untilListed(running, accounts.reader, matchIds)

  yield* step(`connecting ${load.clients} clients`)
  const clients = yield* startClients
  const { connected } = yield* clients.ask<Connected>(
    { kind: "connect", gateways: gateways.map(clientPort), matchIds, groups: accounts.groups, seed },
    180_000,
  )
  const members = accounts.groups.reduce((sum, group) => sum + group.clients, 0)
  if (connected < members) findings.push(`only ${connected} of ${members} clients were live before the fault`)

  yield* step(`load: ${load.matches * load.factsPerSecond} facts per second`)
  yield* feeds.ask({ kind: "start", rate: load.factsPerSecond })
  yield* Effect.sleep(SETTLE_MS)
  const measuredFrom = yield* Clock.currentTimeMillis
  const before = yield* feeds.ask<FeedsStatus>({ kind: "status" })
  yield* Effect.sleep(load.secondsBefore * 1_000)

  const faultAt = yield* Clock.currentTimeMillis
  const undisturbed = yield* pausesOf(clients, { from: measuredFrom, to: faultAt })
  yield* step("fault")
  const world: World = {
    system,
    feeds,
    size,
    random: new Random(seed),
    note: (text) => notes.push(text),
    finding: (text) => findings.push(text),
  }
  yield* scenario.fault(world)
  yield* step(`recovery, ${load.secondsAfter} s`)
  yield* Effect.sleep(load.secondsAfter * 1_000)
  const endedAt = yield* Clock.currentTimeMillis
  const after = yield* feeds.ask<FeedsStatus>({ kind: "status" })

  yield* step("checks")
  const fed = yield* feeds.ask<Finished>({ kind: "finish", withinMs: ACKNOWLEDGED_WITHIN_MS }, ACKNOWLEDGED_WITHIN_MS + 30_000)
  const lastFactAt = Object.fromEntries(
    fed.matches.flatMap(({ isOver, matchId, observedAt }) => (isOver ? [[matchId, observedAt.at(-1) ?? 0]] : [])),
  )
  const fault = yield* pausesOf(clients, { from: faultAt, to: endedAt, lastFactAt })
  const inspected = yield* inspect({ system, clients, accounts, receiver, fed, seed, length, demands: scenario.demands, keep })
  if (scenario.demands.mayLoseFacts === true) notes.push(`${inspected.findings.length} findings follow from lost facts`)
  else findings.push(...inspected.findings)

  const { longestPauseMs } = scenario.demands
  if (longestPauseMs !== undefined && fault.worstMs > longestPauseMs) {
    findings.push(`updates of a match paused for ${fault.worstMs} ms, which is more than ${longestPauseMs} ms`)
  }
  for (const { name, program } of system.nodes) if (program.crashes > 0) findings.push(`${name} ended by itself ${program.crashes} times`)

  const verdict: Verdict = {
    scenario: scenario.name,
    seed,
    size,
    clean: findings.length === 0,
    findings,
    notes,
    pauses: { before: undisturbed, fault },
    clients: inspected.clients,
    feeds: {
      matches: load.matches,
      facts: fed.matches.reduce((sum, { acknowledged }) => sum + acknowledged, 0),
      factsPerSecond: Math.round(((after.acknowledged - before.acknowledged) * 1_000) / (endedAt - measuredFrom)),
      retries: fed.retries,
      failures: fed.failures,
      longestPostMs: Math.max(0, ...fed.matches.map(({ longestPostMs }) => longestPostMs)),
    },
    webhooks: inspected.webhooks,
    bills: inspected.bills,
    seconds: Math.round((performance.now() - startedAt) / 1_000),
  }
  return verdict
}, Effect.scoped)

const pausesOf = (clients: Worker<ClientsOrder>, window: Window) =>
  Effect.map(clients.ask<Pauses>({ kind: "pauses", window }), pauseSummary)
