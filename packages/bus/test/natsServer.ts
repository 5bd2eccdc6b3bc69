/**
 * Controls a NATS server from outside, for the NATS tests and the benchmark: inspects it, cuts connections to it, runs
 * a private one, and removes all traces from a shared one.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { type AddressInfo, connect as connectSocket, createServer, type Socket } from "node:net"
import { findFreePort } from "@matchpoint/testing/freePorts"
import { jetstreamManager } from "@nats-io/jetstream"
import { connect, nuid } from "@nats-io/transport-node"
import { Effect } from "effect"

/** A plain connection for inspecting the server and cleaning up. */
export const manager = (servers: string) =>
  Effect.gen(function* () {
    const connection = yield* Effect.acquireRelease(
      Effect.promise(() => connect({ servers })),
      (opened) => Effect.promise(() => opened.close()),
    )
    return yield* Effect.promise(() => jetstreamManager(connection))
  })

/** A new namespace whose streams are deleted when the scope closes. */
export const temporaryNamespace = (servers: string) =>
  Effect.gen(function* () {
    const streams = (yield* manager(servers)).streams
    return yield* Effect.acquireRelease(
      Effect.sync(() => `bustest-${nuid.next()}`),
      (namespace) =>
        Effect.promise(async () => {
          for await (const { config } of streams.list(`${namespace}.>`)) await streams.delete(config.name)
        }),
    )
  })

/** A TCP proxy in front of the server. It can cut connections and reject them for a while. */
export const cuttableProxy = (target: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const { hostname, port } = new URL(target)
      const sockets = new Set<Socket>()
      let cuts = 0
      let blocked = false
      const cut = () => {
        cuts++
        for (const socket of sockets) socket.destroy()
      }
      const server = createServer((inside) => {
        if (blocked) {
          inside.destroy()
          return
        }
        const outside = connectSocket({ host: hostname, port: Number(port) })
        for (const [socket, other] of [
          [inside, outside],
          [outside, inside],
        ] as const) {
          sockets.add(socket)
          // Resets are expected here. If one end fails, the other is destroyed too.
          socket.on("error", () => other.destroy())
          socket.on("close", () => {
            sockets.delete(socket)
            other.destroy()
          })
          socket.pipe(other)
        }
      })
      server.listen(0, "127.0.0.1")
      await once(server, "listening")
      const { port: own } = server.address() as AddressInfo
      return {
        url: `nats://127.0.0.1:${own}`,
        cut,
        cuts: () => cuts,
        block: () => {
          blocked = true
          cut()
        },
        unblock: () => {
          blocked = false
        },
        server,
      }
    }),
    ({ block, server }) =>
      Effect.promise(async () => {
        block()
        server.close()
        await once(server, "close")
      }),
  )

/** Starts `nats-server` with JetStream in the directory. Its port stays the same across `kill` and `start`. */
export const ownServer = (directory: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const port = await findFreePort()
      const launch = () => spawn("nats-server", ["-js", "-sd", directory, "-a", "127.0.0.1", "-p", String(port)], { stdio: "ignore" })
      const url = `nats://127.0.0.1:${port}`
      let child = launch()
      const ready = await connect({ servers: url, waitOnFirstConnect: true, maxReconnectAttempts: -1, reconnectTimeWait: 20 })
      await ready.close()
      return {
        url,
        kill: async () => {
          const closed = once(child, "close")
          child.kill("SIGKILL")
          await closed
        },
        start: () => {
          child = launch()
        },
      }
    }),
    ({ kill }) => Effect.promise(kill),
  )
