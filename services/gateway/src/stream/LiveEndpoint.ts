/**
 * What all live channels share, for one of them: admits clients, sends `ready`, checks and ends slow clients, and asks
 * all to reconnect when the server shuts down. A channel adds its routes, what a client may request in the URL, and an
 * outlet.
 */
import { monotonicOf } from "@matchpoint/domain/monotonic"
import { GatewayConfig } from "@matchpoint/game/edge/GatewayConfig"
import { LiveHub } from "@matchpoint/game/edge/live/LiveHub"
import { Meter } from "@matchpoint/metering/Meter"
import { repeatedly } from "@matchpoint/process/supervision/repeatedly"
import { UwsServer } from "@matchpoint/uws/UwsServer"
import { Clock, Effect, Metric, Random } from "effect"
import { Replays } from "../replay/Replays.ts"
import { Backfill } from "./Backfill.ts"
import { readyFor } from "./handshake.ts"
import { type ClientHost, type ClientOptions, LiveClient } from "./LiveClient.ts"
import { OpenStreams, type Ticket } from "./OpenStreams.ts"
import type { Outlet } from "./Outlet.ts"
import { UnsentBytes } from "./UnsentBytes.ts"

export const slowClients = Metric.counter("matchpoint_gateway_slow_clients_total", {
  description: "Times that frames were skipped because a client read too slowly",
  incremental: true,
})

const LOOK_AFTER_STUCK = "5 seconds"

/** Data of a connection about its client. `Requested` has the options in the URL. */
export interface Admitted<Sink extends Outlet, Requested extends ClientOptions> {
  readonly ticket: Ticket
  /** Removed once the connection is open, to save memory: clients stay connected for hours. */
  requested: Requested | undefined
  /** Set once the connection is open. */
  client: LiveClient<Sink> | undefined
}

/** A connection whose client may not have been set yet. */
interface Connection {
  readonly data: { readonly ticket: Ticket; readonly client: LiveClient | undefined }
}

export const liveEndpoint = Effect.fnUntraced(function* <Sink extends Outlet>(channel: {
  /** Open connections. */
  readonly open?: Metric.Gauge<number>
  /** Asks one of `clients` to reconnect, because the server shuts down. */
  readonly drain: (client: LiveClient<Sink>, clients: number) => void
}) {
  const server = yield* UwsServer
  const streams = yield* OpenStreams
  const unsent = yield* UnsentBytes
  const { enabled: isMetered } = yield* Meter
  const settings = yield* GatewayConfig
  const context = yield* Effect.context<never>()
  const host: ClientHost = {
    settings,
    hub: yield* LiveHub,
    replays: yield* Replays,
    older: yield* Backfill,
    random: yield* Random.Random,
    now: monotonicOf(yield* Clock.Clock),
    contained: (end, work) => {
      try {
        work()
      } catch (defect) {
        Effect.runForkWith(context)(Effect.logError("a live connection failed", defect))
        end()
      }
    },
    countSlow: () => slowClients.updateUnsafe(1, context),
  }
  const clients = new Set<LiveClient<Sink>>()
  const report = () => channel.open?.updateUnsafe(clients.size, context)

  const lookAfterAll = Effect.sync(() => {
    for (const { session } of clients) session.checkTimeouts(settings.slowestSeconds * 1_000)
  })
  yield* repeatedly("checking slow clients", Effect.delay(lookAfterAll, LOOK_AFTER_STUCK))
  yield* unsent.register(clients)
  const drainOnShutdown = server.onShutdown(() => {
    streams.drain()
    for (const client of clients) channel.drain(client, clients.size)
  })

  return {
    clients,
    /**
     * Registers the routes, then what happens to their clients at the shutdown. In this order, because finalizers of a scope
     * run in reverse order, and those of the routes end the connections.
     */
    listen: <Followed, R>(followed: ReadonlyArray<Followed>, route: (followed: Followed) => Effect.Effect<void, never, R>) =>
      Effect.andThen(Effect.forEach(followed, route, { discard: true }), drainOnShutdown),
    /** Calls `begin` after `ready`. */
    open: <Requested extends ClientOptions>(
      admitted: Admitted<Sink, Requested>,
      outlet: Sink,
      begin: (client: LiveClient<Sink>, requested: Requested) => void,
    ): void => {
      const { requested, ticket } = admitted
      if (requested === undefined) return
      admitted.requested = undefined
      const client = new LiveClient(host, outlet, ticket.key, requested)
      admitted.client = client
      ticket.holder = client
      clients.add(client)
      report()
      client.isolated(() => {
        client.session.sendControl(readyFor(ticket.key, requested, settings, isMetered))
        begin(client, requested)
      })
    },
    /** The same for each transport. */
    callbacks: {
      drain: ({ data }: Connection): void => data.client?.drained(),
      dropped: ({ data }: Connection, skipped: Uint8Array): void => data.client?.skipped(skipped),
      close: ({ data }: { readonly data: { readonly ticket: Ticket; readonly client: LiveClient<Sink> | undefined } }): void => {
        if (data.client !== undefined) clients.delete(data.client)
        report()
        data.client?.close()
        data.ticket.release()
      },
    },
  }
})
