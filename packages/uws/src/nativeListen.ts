// Owns the one gap in the published types of uWebSockets.js: `listen` with a host *and* listen options.
// Exclusive ports matter: without them SO_REUSEPORT lets two servers share a port and each gets half of the clients.
import type { TemplatedApp, us_listen_socket } from "uWebSockets.js"

/** `LIBUS_LISTEN_EXCLUSIVE_PORT`: the enum is declared in the types, but the ESM build does not export its values. */
const exclusivePort = 1

declare module "uWebSockets.js" {
  interface TemplatedApp {
    listen(host: string, port: number, options: number, callback: (socket: us_listen_socket | false) => void): TemplatedApp
  }
}

/** Binds `host:port` for this process alone. Calls back synchronously; `false` when the operating system refuses. */
export const listenExclusively = (app: TemplatedApp, host: string, port: number): us_listen_socket | false => {
  let result: us_listen_socket | false = false
  app.listen(host, port, exclusivePort, (socket) => {
    result = socket
  })
  return result
}
