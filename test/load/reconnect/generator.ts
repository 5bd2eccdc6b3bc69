// Owns the clients: each performs the handshake of a WebSocket and waits for the first message. They are plain TCP
// sockets, so that thousands of handshakes cost the generator little.
import { connect } from "node:net"
import { API_ROOT } from "@matchpoint/contracts/http/apiRoot"
import { type GeneratorOrder, keyOf, type Reconnected } from "./orders.ts"

/** A client gives up after this many milliseconds. */
const GIVE_UP_MS = 60_000

const END_OF_HEAD = "\r\n\r\n"

type Outcome = { readonly readyMs: number } | { readonly refused: string }

const open = (order: GeneratorOrder, index: number, startedAt: number): Promise<Outcome> =>
  new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port: order.port, localAddress: `127.0.0.${2 + (index % order.addresses)}` })
    const timer = setTimeout(() => finish({ refused: "timeout" }), GIVE_UP_MS)
    let received = ""
    let isOver = false
    const finish = (outcome: Outcome): void => {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      socket.removeAllListeners("data")
      // An accepted socket stays open until the gateway or this process ends.
      socket.resume()
      if ("refused" in outcome) socket.destroy()
      resolve(outcome)
    }
    socket.on("connect", () => {
      const key = keyOf(order.firstKey + Math.floor(index / order.socketsPerKey))
      socket.write(
        [
          `GET ${API_ROOT}/live/ws HTTP/1.1`,
          "host: localhost",
          "upgrade: websocket",
          "connection: Upgrade",
          "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==",
          "sec-websocket-version: 13",
          `x-api-key: ${key}`,
        ].join("\r\n") + END_OF_HEAD,
      )
    })
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1")
      const end = received.indexOf(END_OF_HEAD)
      if (end < 0) return
      const status = received.slice("HTTP/1.1 ".length, "HTTP/1.1 101".length)
      if (status !== "101") finish({ refused: `${status} ${/"message":"([^"]*)/.exec(received)?.[1] ?? ""}` })
      else if (received.length > end + END_OF_HEAD.length) finish({ readyMs: performance.now() - startedAt })
    })
    socket.on("error", (error) => finish({ refused: "code" in error ? String(error.code) : error.message }))
    socket.on("close", () => finish({ refused: "closed" }))
  })

process.on("message", async (order: GeneratorOrder) => {
  const startedAt = performance.now()
  const outcomes = await Promise.all(Array.from({ length: order.sockets }, (_, index) => open(order, index, startedAt)))
  const refused: Record<string, number> = {}
  for (const outcome of outcomes) if ("refused" in outcome) refused[outcome.refused] = (refused[outcome.refused] ?? 0) + 1
  const answer: Reconnected = { readyMs: outcomes.flatMap((outcome) => ("readyMs" in outcome ? [outcome.readyMs] : [])), refused }
  process.send?.(answer)
})
process.on("disconnect", () => process.exit(0))
