/** Determines the client's IP address, which is needed for limits per address. */

/**
 * Returns the client's IP address. Behind a proxy, this is the last entry of `x-forwarded-for`, because the proxy added
 * it. Earlier entries can be forged by the client.
 */
export const clientAddress = (
  headers: { readonly [name: string]: string | undefined },
  remoteAddress: string | undefined,
  behindProxy: boolean,
): string => {
  const forwarded = behindProxy ? headers["x-forwarded-for"]?.split(",").at(-1)?.trim() : undefined
  return forwarded ?? remoteAddress ?? "unknown"
}
