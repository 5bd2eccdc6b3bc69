/** The part of the yardstick that sends: uWebSockets.js alone, one topic, 200 sockets in a process of their own. */

import { App, us_listen_socket_close, us_socket_local_port } from "uWebSockets.js"
import { fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"

export const SOCKETS = 200
const MESSAGES = 250
const BYTES = 1_024
export const SENDS = SOCKETS * MESSAGES
/** So long may the sockets take to connect, and each turn to arrive, in milliseconds. */
const PATIENCE_MS = 60_000

export interface Sends {
  /** Sends every message to every socket, and waits until all have arrived. Returns the number of bytes that arrived. */
  readonly turn: () => Promise<number>
  readonly close: () => Promise<void>
}

export const openSends = async (): Promise<Sends> => {
  let isOpen = (): void => {}
  const allOpen = new Promise<void>((resolve) => {
    isOpen = resolve
  })
  let open = 0
  const app = App().ws("/*", {
    maxBackpressure: 64 * 1024 * 1024,
    open: (socket) => {
      socket.subscribe("all")
      if (++open === SOCKETS) isOpen()
    },
  })
  const listening = await new Promise<unknown>((resolve) => app.listen("127.0.0.1", 0, resolve))
  if (listening === false) throw new Error("The yardstick cannot listen on 127.0.0.1.")
  const receiver = fork(fileURLToPath(new URL("receiver.ts", import.meta.url)), [], { stdio: "inherit" })
  const port = us_socket_local_port(listening as Parameters<typeof us_socket_local_port>[0])
  receiver.send({ port, sockets: SOCKETS, bytesPerTurn: SENDS * (BYTES + 4) })
  await Promise.race([allOpen, failAfter("The sockets of the yardstick did not connect in time.")])
  const message = "x".repeat(BYTES)
  return {
    turn: async () => {
      const arrived = once(receiver, "message", { signal: AbortSignal.timeout(PATIENCE_MS) })
      for (let sent = 0; sent < MESSAGES; sent++) {
        app.publish("all", message)
        await new Promise(setImmediate)
      }
      const [bytes] = await arrived
      return Number(bytes)
    },
    close: async () => {
      const gone = once(receiver, "exit")
      receiver.disconnect()
      await gone
      us_listen_socket_close(listening as Parameters<typeof us_listen_socket_close>[0])
      app.close()
    },
  }
}

const failAfter = (message: string): Promise<never> =>
  new Promise((_, reject) => {
    setTimeout(() => reject(new Error(message)), PATIENCE_MS).unref()
  })
