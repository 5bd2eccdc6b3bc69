// The overload of `listen` with a host and listen options, which the published types of uWebSockets.js lack.
import type { TemplatedApp, us_listen_socket } from "uWebSockets.js"

/**
 * `LIBUS_LISTEN_EXCLUSIVE_PORT`: the types declare the enum, but the ESM build does not export its values. Without it,
 * the library sets SO_REUSEPORT: several servers may share the port, and the operating system spreads new connections
 * over them.
 */
const exclusivePort = 1
const sharedPort = 0

declare module "uWebSockets.js" {
  interface TemplatedApp {
    listen(host: string, port: number, options: number, callback: (socket: us_listen_socket | false) => void): TemplatedApp
  }
}

/** Returns `false` if the operating system refuses. */
export const listenNatively = (app: TemplatedApp, host: string, port: number, isShared: boolean): us_listen_socket | false => {
  let result: us_listen_socket | false = false
  app.listen(host, port, isShared ? sharedPort : exclusivePort, (socket) => {
    result = socket
  })
  return result
}
