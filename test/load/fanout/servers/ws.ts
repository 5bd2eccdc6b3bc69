// Owns the broadcast as in the readme of npm `ws`: one buffer, sent to every open client, without compression.

import { once } from "node:events"
import { WebSocket, WebSocketServer } from "ws"
import type { FanoutServer } from "../server.ts"

const TEXT = { binary: false, compress: false }

export const serve = async (): Promise<FanoutServer> => {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: false })
  await once(server, "listening")
  const address = server.address()
  if (typeof address !== "object" || address === null) throw new Error("ws has no address")
  return {
    port: address.port,
    publish: (change) => {
      const encoded = change.frame()
      const bytes = Buffer.from(encoded.buffer, encoded.byteOffset, encoded.byteLength)
      for (const client of server.clients) if (client.readyState === WebSocket.OPEN) client.send(bytes, TEXT)
    },
  }
}
