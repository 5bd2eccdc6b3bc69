/** Content codings of answers (RFC 9110): which one a client accepts, and which media types get smaller by one. Pure. */

export type Coding = "br" | "gzip"

/** The coding to answer with. Undefined: the answer goes as it is. Of equally welcome codings the smaller one, brotli. */
export const codingFor = (acceptEncoding: string | undefined): Coding | undefined => {
  if (acceptEncoding === undefined || acceptEncoding === "") return undefined
  if (known.has(acceptEncoding)) return known.get(acceptEncoding)
  const coding = chosen(acceptEncoding)
  if (known.size < MAX_KNOWN) known.set(acceptEncoding, coding)
  return coding
}

/** Clients send few different values. Bounded, because a client may make them up. */
const known = new Map<string, Coding | undefined>()
const MAX_KNOWN = 100

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

/** 0..1. A weight that cannot be read refuses the coding. */
const weightOf = (parameters: ReadonlyArray<string>): number => {
  const weight = parameters.find((parameter) => /^q\s*=/.test(parameter))
  if (weight === undefined) return 1
  const value = Number(weight.slice(weight.indexOf("=") + 1).trim())
  return value >= 0 && value <= 1 ? value : 0
}

const compressible =
  /^(?:text\/(?!event-stream)|application\/(?:[\w.+-]*\+)?json\b|(?:application|image)\/[\w.+-]*\+?xml\b|application\/javascript\b)/i

/** Text of finite answers. Never event streams, nor lines of JSON that are sent as they come. */
export const isCompressible = (contentType: string): boolean => compressible.test(contentType)
