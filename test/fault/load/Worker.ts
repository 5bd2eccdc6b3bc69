/** A child process of the harness that produces load: asked one question at a time, and ended with the scope. */
import { fileURLToPath } from "node:url"
import { Effect, Schema, type Scope, Semaphore } from "effect"
import { ask, start, stop } from "../../load/lib/child.ts"
import type { ClientsOrder } from "./clients/orders.ts"
import type { FeedsOrder } from "./feeds/orders.ts"

/** A load process did not answer a question in time, or ended. */
export class WorkerFailed extends Schema.TaggedError<WorkerFailed>()("WorkerFailed", { message: Schema.String }) {}

export interface Worker<Order extends object> {
  /** Asks a question and returns the answer. The caller states its type, which belongs to the question. */
  readonly ask: <A>(order: Order, withinMs?: number) => Effect.Effect<A, WorkerFailed>
}

const WITHIN_MS = 60_000

const startWorker = <Order extends object>(file: URL): Effect.Effect<Worker<Order>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const child = yield* Effect.acquireRelease(
      Effect.sync(() => start(file, [], ["--max-old-space-size=2048"])),
      (running) => Effect.promise(() => stop(running)),
    )
    // Answers carry no number, so that questions must not overlap.
    const turn = yield* Semaphore.make(1)
    return {
      ask: <A>(order: Order, withinMs = WITHIN_MS) =>
        Effect.tryPromise({
          try: () => ask<Order, A>(child, order, withinMs),
          catch: (cause) => new WorkerFailed({ message: `${fileURLToPath(file)} did not answer a question: ${String(cause)}` }),
        }).pipe(turn.withPermit),
    }
  })

export const startFeeds = startWorker<FeedsOrder>(new URL("feeds/main.ts", import.meta.url))
export const startClients = startWorker<ClientsOrder>(new URL("clients/main.ts", import.meta.url))
