/** Transport over a WebSocket. */
import { CONNECTING, OPEN, type OpenWebSocket, openWebSocket, type WebSocketLike } from "../openWebSocket.ts"
import type { Http } from "./Http.ts"
import { handshakeProbe } from "./handshakeProbe.ts"
import type { Inbox } from "./Inbox.ts"
import type { Line, Transport } from "./Transport.ts"

/** Creates a transport over a WebSocket. `url` does not contain the API key. */
export const webSocket = (http: Http, url: URL, open: OpenWebSocket | undefined): Transport => ({
  canSend: true,
  connect: (inbox) => {
    let socket: WebSocketLike | undefined
    try {
      socket = openWebSocket(url, http.apiKey, open)
    } catch (cause) {
      void refuse(http, inbox, String(cause))
      return { send: () => {}, close: () => {} }
    }
    return listen(http, inbox, socket)
  },
})

const listen = (http: Http, inbox: Inbox, socket: WebSocketLike): Line => {
  let isOpened = false
  let isRefused = false
  const fail = () => {
    if (isRefused) return
    isRefused = true
    void refuse(http, inbox, "the connection could not be opened")
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
  // undici, the WebSocket implementation of Node, reports a failed handshake with an `error` event but no `close`
  // event.
  socket.addEventListener("error", () => {
    if (!isOpened) fail()
  })
  socket.addEventListener("close", ({ code, reason }) => {
    if (!isOpened) fail()
    else if (!inbox.offer({ _tag: "Closed", code, reason: reason === "" ? `closed with ${code}` : reason })) inbox.end()
  })
  return {
    send: (text) => {
      if (socket.readyState === OPEN) socket.send(text)
    },
    close: () => {
      if (socket.readyState !== CONNECTING) return socket.close(1000)
      // The handshake is still in progress. Closing the socket now would make browsers log an error, so it is closed as
      // soon as it has opened.
      isRefused = true
      socket.addEventListener("open", () => socket.close(1000))
    },
  }
}

/** A WebSocket does not report why its handshake failed, so the reason is requested over HTTP. */
const refuse = async (http: Http, inbox: Inbox, reason: string): Promise<void> => {
  inbox.offer({ _tag: "Closed", reason, ...(await handshakeProbe(http)) })
}
