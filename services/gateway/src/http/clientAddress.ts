/** The client's IP address, for limits per address. */

/**
 * Returns the client's address. Behind a proxy, it is the last entry of `x-forwarded-for`, which the proxy added. The
 * client can forge the entries before it.
 */
export const clientAddress = (
  headers: { readonly [name: string]: string | undefined },
  remoteAddress: string | undefined,
  behindProxy: boolean,
): string => {
  const forwarded = behindProxy ? headers["x-forwarded-for"]?.split(",").at(-1)?.trim() : undefined
  return forwarded ?? remoteAddress ?? "unknown"
}
