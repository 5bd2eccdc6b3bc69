/** Bounds of request bodies from the settings of the operator. */
import type { BodyLimits } from "@matchpoint/uws/http/BodyBounds"
import { type AddressRules, limitedAddress } from "./clientAddress.ts"

export const BYTES_PER_MEGABYTE = 1024 * 1024

export interface BodyLimitSettings extends AddressRules {
  readonly bodiesMegabytes: number
  readonly bodiesMegabytesPerAddress: number
  readonly bodiesMegabytesPerKey: number
}

export const bodyLimits = (settings: BodyLimitSettings): BodyLimits => ({
  maxBytes: settings.bodiesMegabytes * BYTES_PER_MEGABYTE,
  maxBytesPerAddress: settings.bodiesMegabytesPerAddress * BYTES_PER_MEGABYTE,
  maxBytesPerKey: settings.bodiesMegabytesPerKey * BYTES_PER_MEGABYTE,
  clientOf: (headers, remoteAddress) => limitedAddress(headers, remoteAddress, settings),
})
