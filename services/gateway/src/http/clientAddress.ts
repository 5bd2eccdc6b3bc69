/** Who is at the other end, for limits by address. */

/** Behind a proxy the last entry is what the proxy itself saw; those before it are the client's own words. */
export const clientAddress = (
  headers: { readonly [name: string]: string | undefined },
  remoteAddress: string | undefined,
  behindProxy: boolean,
): string => {
  const forwarded = behindProxy ? headers["x-forwarded-for"]?.split(",").at(-1)?.trim() : undefined
  return forwarded ?? remoteAddress ?? "unknown"
}
