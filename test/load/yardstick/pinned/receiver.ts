/** Opens WebSockets for the yardstick and counts the bytes that arrive after the handshakes. Ends with its parent. */
import { connect } from "node:net"

interface Order {
  readonly port: number
  readonly sockets: number
  /** After so many bytes on all sockets, the parent gets the number of bytes. */
  readonly bytesPerTurn: number
}

process.on("disconnect", () => process.exit(0))
process.once("message", ({ bytesPerTurn, port, sockets }: Order) => {
  let bytes = 0
  for (let index = 0; index < sockets; index++) {
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(
        "GET / HTTP/1.1\r\nHost: yardstick\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
      )
    })
    let isOpen = false
    socket.on("data", (chunk) => {
      bytes += isOpen ? chunk.length : chunk.length - endOfHandshake(chunk)
      isOpen = true
      if (bytes < bytesPerTurn) return
      process.send?.(bytes)
      bytes = 0
    })
  }
})

/** The answer to a handshake fits into the first chunk, which may also contain messages. */
const endOfHandshake = (chunk: Buffer): number => chunk.indexOf("\r\n\r\n") + 4
