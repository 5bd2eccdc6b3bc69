// Owns what the webhooks benchmark measures:
// - capacity: deliveries that wait when the worker starts; how many per second it makes
// - steady: new events at a constant rate; the delay from writing an event to its arrival
// - backlog: the same while a backlog of other webhooks drains
// - dead: the delay at 99 receivers while one more never answers, against the delay without it, in alternating order
import type { ChildProcess } from "node:child_process"
import type { StoreError } from "@matchpoint/store/StoreError"
import type { WebhookEvents } from "@matchpoint/store/webhooks/WebhookEvents"
import { Effect, type Scope } from "effect"
import type { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { ask, receive } from "../lib/child.ts"
import { median, percentile, rounded } from "../lib/statistics.ts"
import { clear, pending, write, writePaced } from "./database.ts"
import type { Flags, Scenario } from "./flags.ts"
import type { ReceiverQuestion, ReceiverReport, WorkerQuestion } from "./messages.ts"

const WARM_UP_SECONDS = 3

type StartWorker = Effect.Effect<ChildProcess, never, Scope.Scope>

const toReceiver = <A>(receiver: ChildProcess, question: ReceiverQuestion) =>
  Effect.promise(() => ask<ReceiverQuestion, A>(receiver, question, 30_000))

const running = (startWorker: StartWorker) => Effect.tap(startWorker, (worker) => Effect.promise(() => receive(worker, 30_000)))
const cpuOf = (worker: ChildProcess) => Effect.promise(() => ask<WorkerQuestion, number>(worker, { _tag: "Cpu" }, 30_000))

const untilCount = (receiver: ChildProcess, count: number) =>
  Effect.gen(function* () {
    while ((yield* toReceiver<number>(receiver, { _tag: "Count" })) < count) yield* Effect.sleep("20 millis")
  })

const delays = ({ count, delaysMs }: ReceiverReport) => {
  const sorted = [...delaysMs].sort((a, b) => a - b)
  return {
    delivered: count,
    p50Ms: rounded(percentile(sorted, 0.5), 1),
    p99Ms: rounded(percentile(sorted, 0.99), 1),
    longestMs: sorted.at(-1) ?? null,
  }
}

const begin = (receiver: ChildProcess, dead: ReadonlyArray<number> = []) =>
  Effect.andThen(clear, toReceiver(receiver, { _tag: "Reset", dead }))

const capacity = Effect.fnUntraced(function* ({ deliveries, matches }: Flags, receiver: ChildProcess, startWorker: StartWorker) {
  yield* begin(receiver)
  yield* write(Array.from({ length: deliveries }, (_, index) => index % matches))
  const worker = yield* running(startWorker)
  yield* untilCount(receiver, Math.floor(deliveries / 10))
  const [startedAt, cpu] = [performance.now(), yield* cpuOf(worker)]
  const before = yield* toReceiver<number>(receiver, { _tag: "Count" })
  yield* untilCount(receiver, deliveries)
  const seconds = (performance.now() - startedAt) / 1_000
  const made = deliveries - before
  return { deliveriesPerSecond: Math.round(made / seconds), workerCpuUs: rounded(((yield* cpuOf(worker)) - cpu) / made, 1) }
})

const steady = Effect.fnUntraced(function* (
  flags: Flags,
  receiver: ChildProcess,
  startWorker: StartWorker,
  dead: ReadonlyArray<number> = [],
) {
  yield* begin(receiver, dead)
  yield* running(startWorker)
  // Connections are opened and code is compiled before the measurement.
  yield* writePaced(flags.rate, WARM_UP_SECONDS, 0, flags.matches)
  yield* toReceiver(receiver, { _tag: "Reset", dead })
  yield* writePaced(flags.rate, flags.seconds, 0, flags.matches)
  yield* Effect.sleep("2 seconds")
  return delays(yield* toReceiver<ReceiverReport>(receiver, { _tag: "Report" }))
})

/** The backlog belongs to the first half of the matches, and the new events, whose delay is measured, to the second. */
const backlog = Effect.fnUntraced(function* (flags: Flags, receiver: ChildProcess, startWorker: StartWorker) {
  const half = Math.floor(flags.matches / 2)
  yield* begin(receiver)
  yield* write(
    Array.from({ length: flags.backlog }, (_, index) => index % half),
    false,
  )
  const startedAt = performance.now()
  yield* running(startWorker)
  // Events of the newest second may still be pending. They do not belong to the backlog.
  while ((yield* pending) > flags.rate) yield* writePaced(flags.rate, 1, half, flags.matches)
  const drainSeconds = rounded((performance.now() - startedAt) / 1_000, 1)
  yield* Effect.sleep("2 seconds")
  return { drainSeconds, newEvents: delays(yield* toReceiver<ReceiverReport>(receiver, { _tag: "Report" })) }
})

const dead = Effect.fnUntraced(function* (flags: Flags, receiver: ChildProcess, startWorker: StartWorker) {
  const pairs: Array<{ readonly without: object; readonly with: object; readonly p99Ratio: number }> = []
  for (let round = 0; round < flags.rounds; round += 1) {
    const [one, other] = [round % 2 === 0 ? [] : [0], round % 2 === 0 ? [0] : []]
    const first = yield* Effect.scoped(steady(flags, receiver, startWorker, one))
    const second = yield* Effect.scoped(steady(flags, receiver, startWorker, other))
    const [without, beside] = one.length === 0 ? [first, second] : [second, first]
    pairs.push({ without, with: beside, p99Ratio: rounded(beside.p99Ms / without.p99Ms, 2) })
  }
  return { pairs, medianP99Ratio: median(pairs.map(({ p99Ratio }) => p99Ratio)) }
})

type Measurement = (
  flags: Flags,
  receiver: ChildProcess,
  startWorker: StartWorker,
) => Effect.Effect<object, StoreError | SqlError, SqlClient.SqlClient | WebhookEvents | Scope.Scope>

const measurements: Readonly<Record<Scenario, Measurement>> = {
  capacity,
  steady: (flags, receiver, startWorker) => steady(flags, receiver, startWorker),
  backlog,
  dead,
}

/** Measures the requested scenarios one after another, each with a new worker. Prints progress to stderr. */
export const measure = Effect.fnUntraced(function* (flags: Flags, receiver: ChildProcess, startWorker: StartWorker) {
  const results: Partial<Record<Scenario, unknown>> = {}
  for (const scenario of flags.only) {
    process.stderr.write(`${scenario} ...\n`)
    results[scenario] = yield* Effect.scoped(measurements[scenario](flags, receiver, startWorker))
    process.stderr.write(`${JSON.stringify(results[scenario])}\n`)
  }
  return results
})
