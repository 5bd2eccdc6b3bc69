// Adds the one overload that is missing in the published types of uWebSockets.js: `listen` with a host and listen
// options. The options are needed to bind the port exclusively. Without them, the library sets SO_REUSEPORT, so that
// two servers could share the port and each would get half of the clients.
import type { TemplatedApp, us_listen_socket } from "uWebSockets.js"

/** Value of `LIBUS_LISTEN_EXCLUSIVE_PORT`. The types declare the enum, but the ESM build does not export its values. */
const exclusivePort = 1

declare module "uWebSockets.js" {
  interface TemplatedApp {
    listen(host: string, port: number, options: number, callback: (socket: us_listen_socket | false) => void): TemplatedApp
  }
}

/** Binds `host:port` for this process only. Returns `false` if the operating system refuses. */
export const listenExclusively = (app: TemplatedApp, host: string, port: number): us_listen_socket | false => {
  let result: us_listen_socket | false = false
  app.listen(host, port, exclusivePort, (socket) => {
    result = socket
  })
  return result
}
