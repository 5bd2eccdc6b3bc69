/** Uses the caller's function if there is one, otherwise the constructor of the browser, Bun or Node 22. */
import { API_KEY_HEADER } from "@matchpoint/contracts/http/apiRoot"

/** The members that the client uses. The WebSockets of browsers, undici and the npm package `ws` have them. */
export interface WebSocketLike {
  readonly readyState: number
  send(text: string): void
  close(code?: number): void
  addEventListener(type: "open" | "error", listener: () => void): void
  addEventListener(type: "message", listener: (event: { readonly data: unknown }) => void): void
  addEventListener(type: "close", listener: (event: { readonly code: number; readonly reason: string }) => void): void
}

/**
 * Opens a WebSocket with headers, for example `(url, headers) => new WebSocket(url, { headers })`. The API key is only
 * in the headers, not in the URL.
 */
export type OpenWebSocket = (url: string, headers: Readonly<Record<string, string>>) => WebSocketLike

type Constructor = new (url: string, options?: { readonly headers: Readonly<Record<string, string>> }) => WebSocketLike

/** `readyState` of an open WebSocket. */
export const OPEN = 1
/** `readyState` of a WebSocket whose handshake is in progress. */
export const CONNECTING = 0

export const NO_WEB_SOCKET =
  'this runtime has no WebSocket (Node has one from version 22 on): pass the option `webSocket`, for example with npm `ws`, or use transport: "sse"'

export const hasWebSocket = (open: OpenWebSocket | undefined): boolean =>
  open !== undefined || isConstructor(Reflect.get(globalThis, "WebSocket"))

/** `url` does not contain the API key. Throws if the runtime has no WebSocket and the caller passed none. */
export const openWebSocket = (url: URL, apiKey: string, open: OpenWebSocket | undefined): WebSocketLike => {
  const headers = { [API_KEY_HEADER]: apiKey }
  if (open !== undefined) return open(url.href, headers)
  const native: unknown = Reflect.get(globalThis, "WebSocket")
  if (!isConstructor(native)) throw new Error(NO_WEB_SOCKET)
  if (takesHeaders()) return new native(url.href, { headers })
  const withKey = new URL(url)
  withKey.searchParams.set("apiKey", apiKey)
  return new native(withKey.href)
}

/**
 * Node and Bun accept headers, browsers do not. A key in a header, unlike one in the URL, does not end up in access
 * logs.
 */
const takesHeaders = (): boolean => /^(Node\.js|Bun)\//.test(globalThis.navigator?.userAgent ?? "")

const isConstructor = (value: unknown): value is Constructor => typeof value === "function"
