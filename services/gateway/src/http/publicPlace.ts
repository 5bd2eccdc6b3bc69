/** Where a caller reaches us: as configured, else as its request says. */
import type { GatewaySettings } from "../GatewayConfig.ts"

/** `host`: with the port, e.g. `api.example.com:8443`. */
export interface Place {
  readonly host: string
  readonly secure: boolean
}

const validHost = /^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/

/**
 * Behind a proxy the last entries of `x-forwarded-host` and `x-forwarded-proto` count, as the proxy itself wrote them; from others these
 * headers are ignored. Undefined: the request names no host that could stand in an address.
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

/** The WebSocket form of an address there, `path` included; of an unknown place the path alone. A configured URL keeps its own path. */
export const socketUrl = (publicUrl: string | null, place: Place | undefined, path: string): string => {
  if (publicUrl !== null) return `${publicUrl.replace(/^http/, "ws").replace(/\/+$/, "")}${path}`
  return place === undefined ? path : `${place.secure ? "wss" : "ws"}://${place.host}${path}`
}
