/** The WebSocket transport, over whichever constructor there is: the browser's, Node's (22 or later) or one that is handed in. */
import { API_KEY_HEADER } from "@matchpoint/contracts/http/Authentication"
import { Deferred, Effect, Queue, Redacted } from "effect"
import type { HandshakeProbe } from "./handshakeProbe.ts"
import type { Transport } from "./Transport.ts"

/** What is needed of a WebSocket: the browser's, undici's and `ws`'s have it. */
export interface WebSocketLike {
  readonly readyState: number
  send(text: string): void
  close(code?: number): void
  addEventListener(type: "open" | "error", listener: () => void): void
  addEventListener(type: "message", listener: (event: { readonly data: unknown }) => void): void
  addEventListener(type: "close", listener: (event: { readonly code: number; readonly reason: string }) => void): void
}

/** For constructors that take headers: `(url, headers) => new WebSocket(url, { headers })`. The key is in the headers only. */
export type OpenWebSocket = (url: string, headers: Readonly<Record<string, string>>) => WebSocketLike

type Constructor = new (url: string, options?: { readonly headers: Readonly<Record<string, string>> }) => WebSocketLike

const OPEN = 1

/** Browsers cannot set headers, Node's and Bun's own WebSocket can: a key in an address ends up in logs. */
const takesHeaders = (): boolean => /^(Node\.js|Bun)\//.test(globalThis.navigator?.userAgent ?? "")

export const webSocket = (options: {
  /** Without the key. */
  readonly url: URL
  readonly apiKey: Redacted.Redacted<string>
  readonly open: OpenWebSocket | undefined
  readonly probe: HandshakeProbe
}): Transport => ({
  canSend: true,
  connect: Effect.fnUntraced(function* (inbox) {
    // Browsers say nothing about a failed handshake, so it is asked for another way.
    const refused = yield* Deferred.make<string>()
    yield* Deferred.await(refused).pipe(
      Effect.flatMap((reason) => Effect.map(options.probe, (answer) => Queue.offerUnsafe(inbox, { _tag: "Closed", reason, ...answer }))),
      Effect.forkScoped,
    )
    const refuse = (reason: string) => Deferred.doneUnsafe(refused, Effect.succeed(reason))
    const socket = yield* Effect.acquireRelease(Effect.try({ try: () => construct(options), catch: (cause) => String(cause) }), (socket) =>
      Effect.sync(() => socket.close(1000)),
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
    // Where a handshake fails, undici's tells of no close.
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

const construct = (options: {
  readonly url: URL
  readonly apiKey: Redacted.Redacted<string>
  readonly open: OpenWebSocket | undefined
}) => {
  const key = Redacted.value(options.apiKey)
  const headers = { [API_KEY_HEADER]: key }
  if (options.open !== undefined) return options.open(options.url.href, headers)
  const native: unknown = Reflect.get(globalThis, "WebSocket")
  if (!isConstructor(native)) throw new Error('this runtime has no WebSocket: give `webSocket`, or follow with transport: "sse"')
  if (takesHeaders()) return new native(options.url.href, { headers })
  const url = new URL(options.url)
  url.searchParams.set("apiKey", key)
  return new native(url.href)
}

const isConstructor = (value: unknown): value is Constructor => typeof value === "function"
