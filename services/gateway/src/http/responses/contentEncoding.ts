/** Content codings (RFC 9110): which one a client accepts and which media types are worth compressing. */
import { LRUCache } from "lru-cache"

export type Coding = "br" | "gzip"

/** Undefined: uncompressed. If the client accepts both codings equally, brotli is used, because its output is smaller. */
export const codingFor = (acceptEncoding: string | undefined): Coding | undefined => {
  if (acceptEncoding === undefined || acceptEncoding === "") return undefined
  let result = results.get(acceptEncoding)
  if (result === undefined) {
    result = { coding: chosen(acceptEncoding) }
    results.set(acceptEncoding, result)
  }
  return result.coding
}

/** Codings by value of `Accept-Encoding`. Clients send few values, but may invent others. */
const results = new LRUCache<string, { readonly coding: Coding | undefined }>({ max: 100 })

/**
 * `negotiator` is not used: it applies `*` to `identity`, accepts weights above 1, does not know `x-gzip`, and takes
 * four times as long.
 */
const chosen = (acceptEncoding: string): Coding | undefined => {
  const weights = new Map<string, number>()
  for (const one of acceptEncoding.toLowerCase().split(",")) {
    const [name = "", ...parameters] = one.split(";").map((part) => part.trim())
    if (name !== "") weights.set(name === "x-gzip" ? "gzip" : name, weightOf(parameters))
  }
  const others = weights.get("*") ?? 0
  const br = weights.get("br") ?? others
  const gzip = weights.get("gzip") ?? others
  const best = Math.max(br, gzip)
  if (best === 0 || best < (weights.get("identity") ?? 0)) return undefined
  return br === best ? "br" : "gzip"
}

/** The parameter `q`, 0 to 1. An invalid weight counts as 0, which excludes the coding. */
const weightOf = (parameters: ReadonlyArray<string>): number => {
  const weight = parameters.find((parameter) => /^q\s*=/.test(parameter))
  if (weight === undefined) return 1
  const value = Number(weight.slice(weight.indexOf("=") + 1).trim())
  return value >= 0 && value <= 1 ? value : 0
}

const compressible =
  /^(?:text\/(?!event-stream)|application\/(?:[\w.+-]*\+)?json\b|(?:application|image)\/[\w.+-]*\+?xml\b|application\/javascript\b)/i

/** True for text types that are sent as one body. Event streams and JSON lines are sent piece by piece. */
export const isCompressible = (contentType: string): boolean => compressible.test(contentType)
