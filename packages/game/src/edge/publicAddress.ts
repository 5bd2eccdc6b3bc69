/** The public address under which a caller reaches this server: the configured one or, by default, that of the request. */
import type { GatewaySettings } from "./GatewayConfig.ts"

/** `host` includes the port, if any, e.g. `api.example.com:8443`. `secure` is true for HTTPS. */
export interface PublicAddress {
  readonly host: string
  readonly secure: boolean
}

const validHost = /^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/

/**
 * Undefined if no address is configured and the request names no valid host. Behind a proxy, the last entry of
 * `x-forwarded-proto` is used, because the proxy wrote it. Without a proxy, this header is ignored, because a client can
 * forge it. `x-forwarded-host` is always ignored: many proxies pass on what a client sends in it. Behind a proxy that
 * changes the header `host`, the address must be configured.
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

/** WebSocket URL, or only `path` if the public address is unknown. A path in the configured public URL is kept as a prefix. */
export const socketUrl = (publicUrl: string | null, place: PublicAddress | undefined, path: string): string => {
  if (publicUrl !== null) return `${publicUrl.replace(/^http/, "ws").replace(/\/+$/, "")}${path}`
  return place === undefined ? path : `${place.secure ? "wss" : "ws"}://${place.host}${path}`
}
