/**
 * Entity tags (RFC 9110): builds the tags of live responses, and searches the request headers for a tag. The functions
 * have no side effects.
 */
import type { Shape } from "@matchpoint/contracts/stream/frames"
import type { Frame } from "@matchpoint/realtime/Frame"

/**
 * Returns true if `If-None-Match` contains the tag. The comparison ignores a `W/` prefix: RFC 9110 requires this weak
 * comparison for GET and HEAD.
 */
export const namesTag = (ifNoneMatch: string | undefined, tag: string): boolean => {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === "*") return true
  return ifNoneMatch.split(",").some((one) => one.trim().replace(/^W\//, "") === tag)
}

/** Returns the weak form of a tag, which identifies the same content in different bytes, e.g. after compression. */
export const weakOf = (tag: string): string => (tag.startsWith("W/") ? tag : `W/${tag}`)

/**
 * Returns the tag for a 304 response. Returns the weak form of `tag` if the request contains only that form, which
 * happens if the client's stored response was compressed. The tag must have the form that the client sent, because
 * caches use it to find their stored response.
 */
export const heldTag = (ifNoneMatch: string | undefined, tag: string): string => {
  const held = ifNoneMatch?.split(",").map((one) => one.trim()) ?? []
  return !held.includes(tag) && held.includes(weakOf(tag)) ? weakOf(tag) : tag
}

/** Everything except the frame (the newest update of the match) that determines the content of a live response. */
export interface Variant {
  readonly shape: Shape
  /** Delay of live data for the caller's plan, in seconds. */
  readonly delaySeconds: number
  /** Other inputs of the response, such as page, source and plan. */
  readonly also?: ReadonlyArray<string | number | undefined>
}

const variantOf = ({ shape, delaySeconds, also = [] }: Variant): string =>
  [shape, `d${delaySeconds}`, ...also.map((part) => part ?? "")].join(".")

/**
 * Returns the tag of a response that is built from one frame (an update of a match): `"<epoch>.<seq>-<variant>"`. Epoch
 * and seq together are the stream cursor, so a client can use the tag to resume a stream.
 */
export const frameTag = (frame: Pick<Frame, "epoch" | "seq">, variant: Variant): string =>
  `"${frame.epoch}.${frame.seq}-${variantOf(variant)}"`

/**
 * Returns the tag of a response about several matches. It is computed from the newest frame (update) of each match in
 * the response, in order, and from the total number of matches.
 */
export const framesTag = (frames: ReadonlyArray<Pick<Frame, "matchId" | "epoch" | "seq">>, total: number, variant: Variant): string => {
  let low = 0x811c9dc5
  let high = 0x1b873593
  for (const { matchId, epoch, seq } of frames) {
    for (const part of `${matchId}:${epoch}.${seq};`) {
      const code = part.charCodeAt(0)
      low = Math.imul(low ^ code, 0x01000193)
      high = Math.imul(high ^ code, 0x85ebca6b) ^ (high >>> 13)
    }
  }
  return `"${(low >>> 0).toString(36)}${(high >>> 0).toString(36)}.${total}-${variantOf(variant)}"`
}
