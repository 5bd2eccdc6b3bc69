/**
 * Literal path matching: case-sensitive, without decoding characters that need no encoding, without merging slashes.
 * Proxy rules in front of the server, such as a block on `/admin`, therefore apply to the same path as the router.
 */

/** `HttpRouter.serve` options for every router of the product. */
export const routing = {
  disableLogger: true,
  disableListenLog: true,
  routerConfig: { caseSensitive: true, ignoreDuplicateSlashes: false },
} as const

/**
 * Matches double slashes, characters at which the router would cut the path, and encoded letters, digits, `-`, `.` and
 * `_`, which occur in route paths. RFC 3986, section 2.3 treats the encoded characters as equivalent, but a proxy's
 * rules may not.
 */
const otherSpelling = /^[^?]*?(?:\/\/|[;#\\]|%(?:2[DE]|3\d|[46][1-9A-F]|[57][0-9A]|5F))/i

/**
 * Matches a trailing slash, except on paths of the public API, where it is ignored, and on `/rpc`, because the HTTP
 * client of `effect/rpc` always sends one.
 */
const slashAtEnd = /^\/(?!api\/|rpc\/(?:\?|$))[^?]+\/(?:\?|$)/

/** A fast first test. It matches every URL that one of the other two patterns matches, and few others. */
const worthTesting = /[;#\\%]|\/(?:\/|\?|$)/

/** Returns true if the path of `url` is spelled like a route. */
export const isLiteral = (url: string): boolean => !worthTesting.test(url) || (!otherSpelling.test(url) && !slashAtEnd.test(url))
