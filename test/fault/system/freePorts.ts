/** Finds free TCP ports on loopback. A port is chosen before its process starts, so that a restart uses the same one. */
import { createServer, type Server } from "node:net"
import { Effect } from "effect"

const listen = Effect.callback<Server>((resume) => {
  const server = createServer()
  server.once("error", (error) => resume(Effect.die(error)))
  server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
})

/** Returns `count` different free ports. All of them are held until the last one is found, so that none occurs twice. */
export const freePorts = (count: number): Effect.Effect<ReadonlyArray<number>> =>
  Effect.acquireUseRelease(
    Effect.replicateEffect(listen, count),
    (servers) =>
      Effect.sync(() =>
        servers.map((server) => {
          const address = server.address()
          if (typeof address !== "object" || address === null) throw new Error("a listening server has no port")
          return address.port
        }),
      ),
    (servers) =>
      Effect.forEach(servers, (server) => Effect.callback<void>((resume) => void server.close(() => resume(Effect.void))), {
        discard: true,
      }),
  )

export const freePort: Effect.Effect<number> = Effect.map(freePorts(1), ([port = 0]) => port)
