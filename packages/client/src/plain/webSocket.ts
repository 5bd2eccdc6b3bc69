import { CONNECTING, OPEN, openWebSocket, type WebSocketLike } from "../openWebSocket.ts"
import { handshakeProbe } from "./handshakeProbe.ts"
import type { Runtime } from "./Runtime.ts"
import type { Transport } from "./Transport.ts"

/** `url` does not contain the API key. */
export const webSocket = (runtime: Runtime, url: URL): Transport => ({
  canSend: true,
  connect: (inbox) => {
    const probing = new AbortController()
    let isOpened = false
    let isRefused = false
    // A WebSocket does not report why its handshake failed.
    const refuse = async (reason: string) => {
      if (isRefused) return
      isRefused = true
      inbox.offer({ _tag: "Closed", reason, ...(await handshakeProbe(runtime, probing)) })
    }
    let socket: WebSocketLike
    try {
      socket = openWebSocket(url, runtime.http.apiKey, runtime.webSocket)
    } catch (cause) {
      void refuse(String(cause))
      return { send: () => {}, close: () => probing.abort() }
    }
    socket.addEventListener("open", () => {
      isOpened = true
      inbox.offer({ _tag: "Opened" })
    })
    socket.addEventListener("message", ({ data }) => {
      if (typeof data !== "string" || inbox.offer({ _tag: "Text", text: data, id: undefined })) return
      inbox.end()
      socket.close(1000)
    })
    // undici, the WebSocket of Node, reports a failed handshake with `error` but no `close` event.
    socket.addEventListener("error", () => {
      if (!isOpened) void refuse("the connection could not be opened")
    })
    socket.addEventListener("close", ({ code, reason }) => {
      if (!isOpened) void refuse("the connection could not be opened")
      else if (!inbox.offer({ _tag: "Closed", code, reason: reason === "" ? `closed with ${code}` : reason })) inbox.end()
    })
    return {
      send: (text) => {
        if (socket.readyState === OPEN) socket.send(text)
      },
      close: () => {
        probing.abort()
        const isConnecting = socket.readyState === CONNECTING
        if (isConnecting) isRefused = true
        // Closing during the handshake would make browsers log an error. Elsewhere, a handshake that is never answered would
        // keep the process alive.
        if (isConnecting && isBrowser(globalThis)) return socket.addEventListener("open", () => socket.close(1000))
        socket.close(1000)
      },
    }
  },
})

const isBrowser = (runtime: object): boolean => "document" in runtime
