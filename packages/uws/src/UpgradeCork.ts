// Upgrades a response after its route callback has returned. The native library wants every write inside a cork, and
// prints a line on stderr otherwise. But an upgrade inside the cork of its own response may close the new WebSocket
// (uWebSockets.js before its pull request 1929): the library reads the memory of the WebSocket as the state of the
// response. So the upgrade is made inside the cork of another response: one request of the process to itself that is
// never answered. The handshake is then sent at once, as outside a cork.

import { App, type HttpResponse, us_listen_socket_close, us_socket_local_port } from "uWebSockets.js"
import { connect, type Socket } from "node:net"
import { Effect, Option, type Scope } from "effect"

/** If the process cannot connect to itself in time, upgrades are made outside a cork. They work, but print a line. */
const CONNECTS_WITHIN = "2 seconds"

export class UpgradeCork {
  #held: HttpResponse | undefined

  run(upgrade: () => void): void {
    if (this.#held === undefined) upgrade()
    else this.#held.cork(upgrade)
  }

  /** The response stays open until the scope closes. */
  static readonly make: Effect.Effect<UpgradeCork, never, Scope.Scope> = Effect.gen(function* () {
    const cork = new UpgradeCork()
    const app = yield* Effect.acquireRelease(
      Effect.sync(() => App()),
      (opened) => Effect.sync(() => opened.close()),
    )
    const connected = Effect.callback<Socket>((resume) => {
      let client: Socket | undefined
      app.any("/*", (response) => {
        response.onAborted(() => {
          cork.#held = undefined
        })
        cork.#held = response
        if (client !== undefined) resume(Effect.succeed(client))
      })
      app.listen("127.0.0.1", 0, (listenSocket) => {
        if (listenSocket === false) return
        client = connect(us_socket_local_port(listenSocket), "127.0.0.1", () => {
          us_listen_socket_close(listenSocket)
          client?.write("GET / HTTP/1.1\r\nhost: upgrades\r\n\r\n")
        })
        client.on("error", () => {})
        client.unref()
      })
    })
    yield* connected.pipe(
      Effect.timeoutOption(CONNECTS_WITHIN),
      Effect.tap((client) => Effect.addFinalizer(() => Effect.sync(() => Option.getOrUndefined(client)?.destroy()))),
    )
    return cork
  })
}
