/**
 * Paths match literally: by case, without decoding of characters that need no encoding, without merging of slashes. Rules of a proxy in
 * front of the server, such as one that closes `/admin`, therefore see the same path as the router.
 */

/** Options of `HttpRouter.serve` for every router of the product. */
export const routing = {
  disableLogger: true,
  disableListenLog: true,
  routerConfig: { caseSensitive: true, ignoreDuplicateSlashes: false },
} as const

/**
 * Doubled slashes, characters at which the router would cut the path, and encoded letters, digits, `-`, `.` and `_`, which occur in the
 * paths of routes. RFC 3986, 2.3 calls the encoded ones equivalent; a proxy's rules need not.
 */
const otherSpelling = /^[^?]*?(?:\/\/|[;#\\]|%(?:2[DE]|3\d|[46][1-9A-F]|[57][0-9A]|5F))/i

/** A slash at the end is ignored on paths of the public API, and on `/rpc`, where the HTTP client of `effect/rpc` always sends one. */
const slashAtEnd = /^\/(?!api\/|rpc\/(?:\?|$))[^?]+\/(?:\?|$)/

/** What the other two patterns need to match. Most URLs have none of it, and are tested once. */
const worthTesting = /[;#\\%]|\/(?:\/|\?|$)/

/** Returns true if the path of `url` is spelled as routes are. */
export const isLiteral = (url: string): boolean => !worthTesting.test(url) || (!otherSpelling.test(url) && !slashAtEnd.test(url))
