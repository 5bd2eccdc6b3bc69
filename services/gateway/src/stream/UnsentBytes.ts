/**
 * Bounds the bytes that wait in this process for clients that do not read. Four times a second it adds up what waits in all connections of
 * the registered crowds; past the bound the connections with most of it are ended. Nothing is done per frame. It does not own the limit of
 * a single connection, nor what the kernel buffers.
 */
import { Context, Effect, Layer, Metric, type Scope } from "effect"
import { repeatedly } from "../clockwork.ts"
import { GatewayConfig } from "../GatewayConfig.ts"

export const unsentBytes = Metric.gauge("matchpoint_gateway_unsent_bytes", {
  description: "Bytes that wait for clients of streams to read",
})
export const unsentEnded = Metric.counter("matchpoint_gateway_unsent_ended_total", {
  description: "Clients ended because too much waited for all clients together",
  incremental: true,
})

const LOOK_EVERY = "250 millis"

/** The connections of one transport. */
export interface Crowd<Connection extends WeakKey> {
  readonly connections: Iterable<Connection>
  /** Bytes that wait for the client. */
  readonly bytesOf: (connection: Connection) => number
  /** Says good-bye. Returns false if that cannot be read, so that the connection is cut at once. */
  readonly end: (connection: Connection) => boolean
  /** Frees what waits at once. */
  readonly cut: (connection: Connection) => void
}

export class UnsentBytes extends Context.Service<
  UnsentBytes,
  {
    /** Counts a crowd in until the scope closes. */
    readonly register: <Connection extends WeakKey>(crowd: Crowd<Connection>) => Effect.Effect<void, never, Scope.Scope>
  }
>()("@matchpoint/service-gateway/stream/UnsentBytes") {
  static readonly layer = Layer.effect(
    UnsentBytes,
    Effect.gen(function* () {
      const { maxUnsentBytes } = yield* GatewayConfig
      const context = yield* Effect.context<never>()
      const crowds = new Set<Measured>()

      const look = Effect.sync(() => {
        let total = 0
        for (const crowd of crowds) total += crowd.total()
        unsentBytes.updateUnsafe(total, context)
        if (total <= maxUnsentBytes) return
        const largest = [...crowds].flatMap((crowd) => crowd.waiting()).sort(largestFirst)
        for (const { bytes, end } of largest) {
          if (total <= maxUnsentBytes) break
          if (end()) unsentEnded.updateUnsafe(1, context)
          total -= bytes
        }
      })
      yield* repeatedly("bounding what clients have not read", Effect.delay(look, LOOK_EVERY))

      return UnsentBytes.of({
        register: (crowd) =>
          Effect.acquireRelease(
            Effect.sync(() => {
              const measured = measuring(crowd)
              crowds.add(measured)
              return measured
            }),
            (measured) => Effect.sync(() => crowds.delete(measured)),
          ),
      })
    }),
  )
}

interface Waiting {
  readonly bytes: number
  /** Ended at an earlier look, so that it is cut now. */
  readonly isEnding: boolean
  /** Returns true the first time. */
  readonly end: () => boolean
}

/** A crowd whose kind of connection does not matter any more. */
interface Measured {
  readonly total: () => number
  readonly waiting: () => ReadonlyArray<Waiting>
}

const measuring = <Connection extends WeakKey>({ bytesOf, connections, cut, end }: Crowd<Connection>): Measured => {
  /** Ended here, and not gone yet. */
  const ending = new WeakSet<Connection>()
  const endOnce = (connection: Connection): boolean => {
    const isFirst = !ending.has(connection)
    ending.add(connection)
    if (!isFirst || !end(connection)) cut(connection)
    return isFirst
  }
  return {
    total: () => {
      let total = 0
      for (const connection of connections) total += bytesOf(connection)
      return total
    },
    waiting: () => {
      const all: Array<Waiting> = []
      for (const connection of connections) {
        const bytes = bytesOf(connection)
        if (bytes > 0) all.push({ bytes, isEnding: ending.has(connection), end: () => endOnce(connection) })
      }
      return all
    },
  }
}

/** Those that have had their moment to read the good-bye go before others. */
const largestFirst = (a: Waiting, b: Waiting): number => Number(b.isEnding) - Number(a.isEnding) || b.bytes - a.bytes
