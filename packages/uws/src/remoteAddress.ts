// The native library returns an address as 4 or 16 raw bytes, or an empty buffer if the peer has disconnected.
import { NetAddress } from "effect/net"

/** Canonical text (`127.0.0.1`, `::1`). Undefined if the peer has disconnected. */
export const formatRemoteAddress = (address: ArrayBuffer): string | undefined => {
  const bytes = new Uint8Array(address)
  switch (bytes.length) {
    case 4:
      return `${bytes[0]}.${bytes[1]}.${bytes[2]}.${bytes[3]}`
    case 16:
      return NetAddress.formatIp(NetAddress.ipv6FromBytesUnsafe(bytes))
    default:
      return undefined
  }
}
