/** Transport over a WebSocket. */
import { Deferred, Effect, Queue, Redacted } from "effect"
import { OPEN, type OpenWebSocket, openWebSocket } from "../openWebSocket.ts"
import type { HandshakeProbe } from "./handshakeProbe.ts"
import type { Transport } from "./Transport.ts"

export const webSocket = (options: {
  /** URL of the WebSocket, without the API key. */
  readonly url: URL
  readonly apiKey: Redacted.Redacted<string>
  readonly open: OpenWebSocket | undefined
  readonly probe: HandshakeProbe
}): Transport => ({
  canSend: true,
  connect: Effect.fnUntraced(function* (inbox) {
    // A WebSocket does not report why its handshake failed, so the reason is requested over HTTP.
    const refused = yield* Deferred.make<string>()
    yield* Deferred.await(refused).pipe(
      Effect.flatMap((reason) => Effect.map(options.probe, (answer) => Queue.offerUnsafe(inbox, { _tag: "Closed", reason, ...answer }))),
      Effect.forkScoped,
    )
    const refuse = (reason: string) => Deferred.doneUnsafe(refused, Effect.succeed(reason))
    const socket = yield* Effect.acquireRelease(
      Effect.try({ try: () => openWebSocket(options.url, Redacted.value(options.apiKey), options.open), catch: (cause) => String(cause) }),
      (socket) => Effect.sync(() => socket.close(1000)),
    ).pipe(
      Effect.catch((reason) =>
        Effect.as(
          Effect.sync(() => refuse(reason)),
          undefined,
        ),
      ),
    )
    if (socket === undefined) return { send: () => {} }
    let opened = false
    socket.addEventListener("open", () => {
      opened = true
      Queue.offerUnsafe(inbox, { _tag: "Opened" })
    })
    socket.addEventListener("message", ({ data }) => {
      if (typeof data !== "string" || Queue.offerUnsafe(inbox, { _tag: "Text", text: data, id: undefined })) return
      Queue.endUnsafe(inbox)
      socket.close(1000)
    })
    // undici, the WebSocket implementation of Node, reports a failed handshake with an `error` event but no `close`
    // event.
    socket.addEventListener("error", () => {
      if (!opened) refuse("the connection could not be opened")
    })
    socket.addEventListener("close", ({ code, reason }) => {
      if (!opened) refuse("the connection could not be opened")
      else if (!Queue.offerUnsafe(inbox, { _tag: "Closed", code, reason: reason === "" ? `closed with ${code}` : reason }))
        Queue.endUnsafe(inbox)
    })
    return {
      send: (text) => {
        if (socket.readyState === OPEN) socket.send(text)
      },
    }
  }),
})
