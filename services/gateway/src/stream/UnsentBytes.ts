/**
 * Limits the total number of unsent bytes that this process buffers for clients that do not read. Four times a second,
 * the unsent bytes of all registered connections are added up. If the sum exceeds the limit, the connections with the
 * most unsent bytes are ended. Sending a frame therefore has no extra cost. The separate limit per connection and the
 * buffers of the kernel are not handled here.
 */
import { GatewayConfig } from "@matchpoint/game/edge/GatewayConfig"
import { repeatedly } from "@matchpoint/process/supervision/repeatedly"
import { Context, Effect, Layer, Metric, type Scope } from "effect"

export const unsentBytes = Metric.gauge("matchpoint_gateway_unsent_bytes", {
  description: "Bytes waiting for stream clients to read",
})
export const unsentEnded = Metric.counter("matchpoint_gateway_unsent_ended_total", {
  description: "Clients disconnected because too many bytes waited for all clients together",
  incremental: true,
})

const LOOK_EVERY = "250 millis"

/** All connections of one transport, with functions to measure and end them. */
export interface ConnectionGroup<Connection extends WeakKey> {
  readonly connections: Iterable<Connection>
  /** Returns the number of unsent bytes that are buffered for the connection. */
  readonly bytesOf: (connection: Connection) => number
  /**
   * Sends the reason to the client and ends the connection. Returns false if the transport cannot send a reason. In
   * that case, `cut` is called immediately.
   */
  readonly end: (connection: Connection) => boolean
  /** Closes the connection and frees its buffered bytes immediately. */
  readonly cut: (connection: Connection) => void
}

export class UnsentBytes extends Context.Service<
  UnsentBytes,
  {
    /** Monitors the connections of a transport until the scope closes. */
    readonly register: <Connection extends WeakKey>(crowd: ConnectionGroup<Connection>) => Effect.Effect<void, never, Scope.Scope>
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
  /**
   * True if an earlier check has already ended the connection but it is still open. In that case, `end` cuts it (closes
   * it immediately).
   */
  readonly isEnding: boolean
  /**
   * Ends the connection and returns true. If an earlier check has already ended it, closes it immediately and returns
   * false.
   */
  readonly end: () => boolean
}

/** The connections of one transport. This interface hides their type, so that all transports can be handled alike. */
interface Measured {
  readonly total: () => number
  readonly waiting: () => ReadonlyArray<Waiting>
}

const measuring = <Connection extends WeakKey>({ bytesOf, connections, cut, end }: ConnectionGroup<Connection>): Measured => {
  /** Connections that an earlier check has ended but that have not closed yet. */
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

/**
 * Sort order: connections that an earlier check has ended come first, then the connections with the most unsent bytes.
 */
const largestFirst = (a: Waiting, b: Waiting): number => Number(b.isEnding) - Number(a.isEnding) || b.bytes - a.bytes
