/**
 * Matches paths literally: case-sensitively, without merging slashes, and without decoding characters that need no
 * encoding. As a result, rules of a proxy in front of the server, such as a block on `/admin`, apply to exactly the
 * paths that the router sees.
 */

/** Options for `HttpRouter.serve`. Every router of the product must use them. */
export const routing = {
  disableLogger: true,
  disableListenLog: true,
  routerConfig: { caseSensitive: true, ignoreDuplicateSlashes: false },
} as const

/**
 * Matches paths with unusual spelling: double slashes, characters at which the router would end the path, and encoded
 * letters, digits, `-`, `.` and `_`. RFC 3986, section 2.3 treats an encoded and an unencoded character as equivalent,
 * but the rules of a proxy may not.
 */
const otherSpelling = /^[^?]*?(?:\/\/|[;#\\]|%(?:2[DE]|3\d|[46][1-9A-F]|[57][0-9A]|5F))/i

/**
 * Matches paths with a trailing slash. Two kinds of paths are excluded: paths of the public API, where a trailing slash
 * is ignored, and `/rpc`, because the HTTP client of `effect/rpc` always sends a trailing slash.
 */
const slashAtEnd = /^\/(?!api\/|v1\/|rpc\/(?:\?|$))[^?]+\/(?:\?|$)/

/**
 * Fast preliminary test that avoids the slower patterns for most requests. It matches every URL that `otherSpelling` or
 * `slashAtEnd` matches, and only a few others.
 */
const worthTesting = /[;#\\%]|\/(?:\/|\?|$)/

/** Returns true if the path of `url` has no unusual spelling and can therefore be a route. */
export const isLiteral = (url: string): boolean => !worthTesting.test(url) || (!otherSpelling.test(url) && !slashAtEnd.test(url))
