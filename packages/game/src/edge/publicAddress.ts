/**
 * Determines the public address under which a caller reaches this server: the configured address or, if none is
 * configured, the address in the request.
 */
import type { GatewaySettings } from "./GatewayConfig.ts"

/**
 * Public address of this server. `host` includes the port, if any, e.g. `api.example.com:8443`. `secure` is true for
 * HTTPS.
 */
export interface PublicAddress {
  readonly host: string
  readonly secure: boolean
}

const validHost = /^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/

/**
 * Returns the public address of this server. Returns undefined if no address is configured and the request names no
 * valid host. Behind a proxy, the last entry of `x-forwarded-proto` is used, because the proxy wrote it. Without a proxy,
 * this header is ignored, because a client can forge it. `x-forwarded-host` is always ignored: many proxies pass on what a
 * client sends in it. Behind a proxy that changes the header `host`, the address must be configured.
 */
export const placeOf = (
  headers: { readonly [name: string]: string | undefined },
  { behindProxy, publicUrl }: Pick<GatewaySettings, "behindProxy" | "publicUrl">,
): PublicAddress | undefined => {
  if (publicUrl !== null && URL.canParse(publicUrl)) {
    const { host, protocol } = new URL(publicUrl)
    return { host, secure: protocol === "https:" }
  }
  const { host } = headers
  if (host === undefined || !validHost.test(host)) return undefined
  const protocol = behindProxy ? headers["x-forwarded-proto"]?.split(",").at(-1)?.trim().toLowerCase() : undefined
  return { host, secure: protocol === "https" }
}

/**
 * Returns the WebSocket URL for `path`, or only `path` if the public address is unknown. If the configured public URL
 * contains a path, this path is kept as a prefix.
 */
export const socketUrl = (publicUrl: string | null, place: PublicAddress | undefined, path: string): string => {
  if (publicUrl !== null) return `${publicUrl.replace(/^http/, "ws").replace(/\/+$/, "")}${path}`
  return place === undefined ? path : `${place.secure ? "wss" : "ws"}://${place.host}${path}`
}
