/**
 * Matches paths literally: case-sensitively, without merging slashes or decoding characters that need no encoding. So
 * rules of a proxy in front of the server, such as a block on `/admin`, apply to exactly the paths that the router
 * sees.
 */

/** Options that every router must pass to `HttpRouter.serve`. */
export const routing = {
  disableLogger: true,
  disableListenLog: true,
  routerConfig: { caseSensitive: true, ignoreDuplicateSlashes: false },
} as const

/**
 * Double slashes, characters at which the router would end the path, and encoded letters, digits, `-`, `.` and `_`. RFC
 * 3986, section 2.3 treats encoded and unencoded as equivalent, but the rules of a proxy may not.
 */
const otherSpelling = /^[^?]*?(?:\/\/|[;#\\]|%(?:2[DE]|3\d|[46][1-9A-F]|[57][0-9A]|5F))/i

/**
 * A trailing slash, except in the public API, which ignores it, and after `/rpc`, where the HTTP client of `effect/rpc`
 * always sends it.
 */
const slashAtEnd = /^\/(?!api\/|v1\/|rpc\/(?:\?|$))[^?]+\/(?:\?|$)/

/** Fast test before the slower patterns: matches every URL that they match, and few others. */
const worthTesting = /[;#\\%]|\/(?:\/|\?|$)/

/** True if the path of `url` has no unusual spelling and can be a route. */
export const isLiteral = (url: string): boolean => !worthTesting.test(url) || (!otherSpelling.test(url) && !slashAtEnd.test(url))
