/**
 * The public address under which a caller reaches this server: the configured one, otherwise the one in its request.
 */
import type { GatewaySettings } from "../GatewayConfig.ts"

/** A public address. `host` includes the port, e.g. `api.example.com:8443`. */
export interface Place {
  readonly host: string
  readonly secure: boolean
}

const validHost = /^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/

/**
 * Returns the public address, or undefined if the request names no valid host. Behind a proxy, the last entries of
 * `x-forwarded-host` and `x-forwarded-proto` are used, because the proxy wrote them. Otherwise these headers are
 * ignored.
 */
export const placeOf = (
  headers: { readonly [name: string]: string | undefined },
  { behindProxy, publicUrl }: Pick<GatewaySettings, "behindProxy" | "publicUrl">,
): Place | undefined => {
  if (publicUrl !== null && URL.canParse(publicUrl)) {
    const { host, protocol } = new URL(publicUrl)
    return { host, secure: protocol === "https:" }
  }
  const forwarded = (name: string) => (behindProxy ? headers[name]?.split(",").at(-1)?.trim() : undefined)
  const host = forwarded("x-forwarded-host") ?? headers["host"]
  if (host === undefined || !validHost.test(host)) return undefined
  return { host, secure: forwarded("x-forwarded-proto")?.toLowerCase() === "https" }
}

/**
 * Returns the WebSocket URL of `path` at this address, or only `path` if the address is unknown. The path of a
 * configured URL is kept as a prefix.
 */
export const socketUrl = (publicUrl: string | null, place: Place | undefined, path: string): string => {
  if (publicUrl !== null) return `${publicUrl.replace(/^http/, "ws").replace(/\/+$/, "")}${path}`
  return place === undefined ? path : `${place.secure ? "wss" : "ws"}://${place.host}${path}`
}
