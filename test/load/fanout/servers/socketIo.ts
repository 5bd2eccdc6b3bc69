// Owns the broadcast of socket.io to a room in its fastest configuration: WebSocket only and no compression, so that it
// frames a packet once for all clients.

import { once } from "node:events"
import { createServer } from "node:http"
import { matchRoom } from "@matchpoint/contracts/stream/rooms"
import { Server } from "socket.io"
import { followedMatch } from "../followedMatch.ts"
import type { FanoutServer } from "../server.ts"

export const serve = async (): Promise<FanoutServer> => {
  const http = createServer()
  const io = new Server(http, { transports: ["websocket"], perMessageDeflate: false, httpCompression: false, serveClient: false })
  const room = matchRoom(followedMatch)
  io.on("connection", (socket) => socket.join(room))
  http.listen(0, "127.0.0.1")
  await once(http, "listening")
  const address = http.address()
  if (typeof address !== "object" || address === null) throw new Error("socket.io has no address")
  return {
    port: address.port,
    // socket.io encodes the frame itself: the same JSON as the other servers send, in an array after the event's name.
    publish: (change) => {
      io.to(room).emit("update", change.message())
    },
  }
}
