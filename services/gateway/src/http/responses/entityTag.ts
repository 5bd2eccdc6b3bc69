/** Entity tags (RFC 9110): builds the tags of live reads and finds a tag in a request. Pure. */
import type { Shape } from "@matchpoint/contracts/stream/frames"
import type { Frame } from "@matchpoint/realtime/Frame"

/**
 * Returns true if `If-None-Match` contains the tag. The comparison is weak, as required for GET and HEAD: a prefix `W/`
 * is ignored.
 */
export const namesTag = (ifNoneMatch: string | undefined, tag: string): boolean => {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === "*") return true
  return ifNoneMatch.split(",").some((one) => one.trim().replace(/^W\//, "") === tag)
}

/** Returns the weak form of a tag: the same content, in other bytes. */
export const weakOf = (tag: string): string => (tag.startsWith("W/") ? tag : `W/${tag}`)

/**
 * Returns the tag to send with a 304: the weak form of `tag` if the request named only that one, as it does for a
 * compressed response. Caches find their stored response by this tag.
 */
export const heldTag = (ifNoneMatch: string | undefined, tag: string): string => {
  const held = ifNoneMatch?.split(",").map((one) => one.trim()) ?? []
  return !held.includes(tag) && held.includes(weakOf(tag)) ? weakOf(tag) : tag
}

/** Everything besides the frame that changes a response. */
export interface Variant {
  readonly shape: Shape
  /** Delay of the caller's plan, in seconds. */
  readonly delaySeconds: number
  /** Other inputs of the response, such as page, source and plan. */
  readonly also?: ReadonlyArray<string | number | undefined>
}

const variantOf = ({ shape, delaySeconds, also = [] }: Variant): string =>
  [shape, `d${delaySeconds}`, ...also.map((part) => part ?? "")].join(".")

/**
 * Returns `"<epoch>.<seq>-<variant>"`. The first part is the stream cursor, so a client can read it and resume a stream
 * there.
 */
export const frameTag = (frame: Pick<Frame, "epoch" | "seq">, variant: Variant): string =>
  `"${frame.epoch}.${frame.seq}-${variantOf(variant)}"`

/** ETag of a multi-match response: the newest frame of each match shown, in order, plus the total number of matches. */
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
