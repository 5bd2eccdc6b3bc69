/**
 * Determines the public address under which a caller reaches this server: the configured address or, if none is
 * configured, the address in the request.
 */
import type { GatewaySettings } from "../GatewayConfig.ts"

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
 * valid host. Behind a proxy, the last entries of `x-forwarded-host` and `x-forwarded-proto` are used, because the
 * proxy wrote them. Without a proxy, these headers are ignored, because a client can forge them.
 */
export const placeOf = (
  headers: { readonly [name: string]: string | undefined },
  { behindProxy, publicUrl }: Pick<GatewaySettings, "behindProxy" | "publicUrl">,
): PublicAddress | undefined => {
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
 * Returns the WebSocket URL for `path`, or only `path` if the public address is unknown. If the configured public URL
 * contains a path, this path is kept as a prefix.
 */
export const socketUrl = (publicUrl: string | null, place: PublicAddress | undefined, path: string): string => {
  if (publicUrl !== null) return `${publicUrl.replace(/^http/, "ws").replace(/\/+$/, "")}${path}`
  return place === undefined ? path : `${place.secure ? "wss" : "ws"}://${place.host}${path}`
}
