/**
 * Limits the unsent bytes that this process buffers for clients that do not read. Four times a second, those of all
 * registered connections are added up, and above the limit the connections with the most are ended. Sending a frame
 * thus has no extra cost. The limit per connection and the buffers of the kernel are not handled here.
 */
import { GatewayConfig } from "@matchpoint/game/edge/GatewayConfig"
import { repeatedly } from "@matchpoint/process/supervision/repeatedly"
import { Context, Effect, Layer, Metric, type Scope } from "effect"
import type { Outlet } from "./Outlet.ts"

export const unsentBytes = Metric.gauge("matchpoint_gateway_unsent_bytes", {
  description: "Bytes waiting for stream clients to read",
})
export const unsentEnded = Metric.counter("matchpoint_gateway_unsent_ended_total", {
  description: "Clients disconnected because too many bytes waited for all clients together",
  incremental: true,
})

const LOOK_EVERY = "250 millis"

export interface UnsentClient {
  readonly outlet: Pick<Outlet, "unsentBytes" | "endSlow" | "cut">
}

export class UnsentBytes extends Context.Service<
  UnsentBytes,
  {
    /** Clients present and added later, until the scope closes. */
    readonly register: (clients: Iterable<UnsentClient>) => Effect.Effect<void, never, Scope.Scope>
  }
>()("@matchpoint/service-gateway/stream/UnsentBytes") {
  static readonly layer = Layer.effect(
    UnsentBytes,
    Effect.gen(function* () {
      const { maxUnsentBytes } = yield* GatewayConfig
      const context = yield* Effect.context<never>()
      const groups = new Set<Iterable<UnsentClient>>()
      /** Clients that an earlier check has ended but whose connections may still be open. */
      const ending = new WeakSet<UnsentClient>()

      const look = Effect.sync(() => {
        let total = 0
        for (const clients of groups) for (const { outlet } of clients) total += outlet.unsentBytes
        unsentBytes.updateUnsafe(total, context)
        if (total <= maxUnsentBytes) return
        const waiting: Array<Waiting> = []
        for (const clients of groups) {
          for (const client of clients) {
            const bytes = client.outlet.unsentBytes
            if (bytes > 0) waiting.push({ client, bytes, isEnding: ending.has(client) })
          }
        }
        for (const { bytes, client, isEnding } of waiting.sort(largestFirst)) {
          if (total <= maxUnsentBytes) break
          if (isEnding) client.outlet.cut()
          else {
            ending.add(client)
            client.outlet.endSlow()
            unsentEnded.updateUnsafe(1, context)
          }
          total -= bytes
        }
      })
      yield* repeatedly("limiting unsent bytes", Effect.delay(look, LOOK_EVERY))

      return UnsentBytes.of({
        register: (clients) =>
          Effect.acquireRelease(
            Effect.sync(() => groups.add(clients)),
            () => Effect.sync(() => groups.delete(clients)),
          ),
      })
    }),
  )
}

interface Waiting {
  readonly client: UnsentClient
  readonly bytes: number
  /** An earlier check has ended the connection, which is still open. It is cut (closed immediately). */
  readonly isEnding: boolean
}

/** Connections that an earlier check has ended, then those with the most unsent bytes. */
const largestFirst = (a: Waiting, b: Waiting): number => Number(b.isEnding) - Number(a.isEnding) || b.bytes - a.bytes
