/**
 * Limits the bytes that wait in this process for clients that do not read. Four times a second, it adds up the waiting
 * bytes of all registered connections. Above the limit, it ends the connections with the most waiting bytes. There is
 * no cost per frame. It does not cover the limit of a single connection or the buffers of the kernel.
 */
import { Context, Effect, Layer, Metric, type Scope } from "effect"
import { repeatedly } from "../clockwork.ts"
import { GatewayConfig } from "../GatewayConfig.ts"

export const unsentBytes = Metric.gauge("matchpoint_gateway_unsent_bytes", {
  description: "Bytes waiting for stream clients to read",
})
export const unsentEnded = Metric.counter("matchpoint_gateway_unsent_ended_total", {
  description: "Clients disconnected because too many bytes waited for all clients together",
  incremental: true,
})

const LOOK_EVERY = "250 millis"

/** All connections of one transport. */
export interface Crowd<Connection extends WeakKey> {
  readonly connections: Iterable<Connection>
  /** Returns the bytes waiting for the client. */
  readonly bytesOf: (connection: Connection) => number
  /**
   * Sends the client the reason and ends the connection. Returns false if the transport cannot send one; the connection
   * is then cut immediately.
   */
  readonly end: (connection: Connection) => boolean
  /** Closes the connection and frees its waiting bytes immediately. */
  readonly cut: (connection: Connection) => void
}

export class UnsentBytes extends Context.Service<
  UnsentBytes,
  {
    /** Includes these connections until the scope closes. */
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
      yield* repeatedly("limiting unsent bytes", Effect.delay(look, LOOK_EVERY))

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
  /** True if the connection was ended by an earlier check. It is cut now. */
  readonly isEnding: boolean
  /** Ends the connection, or cuts it if it was already ended. Returns true if it was not ended before. */
  readonly end: () => boolean
}

/** The connections of one transport, independent of their type. */
interface Measured {
  readonly total: () => number
  readonly waiting: () => ReadonlyArray<Waiting>
}

const measuring = <Connection extends WeakKey>({ bytesOf, connections, cut, end }: Crowd<Connection>): Measured => {
  /** Connections that were ended here but have not closed yet. */
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

/** Sorts connections that were already ended first, then by waiting bytes, largest first. */
const largestFirst = (a: Waiting, b: Waiting): number => Number(b.isEnding) - Number(a.isEnding) || b.bytes - a.bytes
