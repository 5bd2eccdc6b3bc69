// Owns the lower bound: uWebSockets.js alone, publishing the same bytes to one topic.

import { App, us_socket_local_port } from "uWebSockets.js"
import type { FanoutServer } from "../server.ts"

const TOPIC = "followers"

export const serve = (): Promise<FanoutServer> =>
  new Promise((resolve, reject) => {
    const app = App()
    // The limits of our gateway, so that both drop the same frames.
    app.ws("/*", { maxBackpressure: 1024 * 1024, idleTimeout: 60, open: (socket) => void socket.subscribe(TOPIC) })
    app.listen("127.0.0.1", 0, (listenSocket) => {
      if (listenSocket === false) reject(new Error("uWebSockets.js cannot listen"))
      else {
        resolve({
          port: us_socket_local_port(listenSocket),
          publish: (change) => {
            app.publish(TOPIC, change.frame())
          },
        })
      }
    })
  })
