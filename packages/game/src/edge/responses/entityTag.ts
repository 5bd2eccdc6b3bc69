/** Entity tags (RFC 9110) of live responses. No side effects. */
import type { Shape } from "@matchpoint/contracts/stream/frames"
import type { Frame } from "@matchpoint/realtime/Frame"

/** Ignores a `W/` prefix: RFC 9110 requires this weak comparison for GET and HEAD. */
export const namesTag = (ifNoneMatch: string | undefined, tag: string): boolean => {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === "*") return true
  return ifNoneMatch.split(",").some((one) => one.trim().replace(/^W\//, "") === tag)
}

/** The weak form identifies the same content in different bytes, e.g. after compression. */
export const weakOf = (tag: string): string => (tag.startsWith("W/") ? tag : `W/${tag}`)

/**
 * For a 304: the form that the client sent, weak if its stored response was compressed. Caches find the response by it.
 */
export const heldTag = (ifNoneMatch: string | undefined, tag: string): string => {
  const held = ifNoneMatch?.split(",").map((one) => one.trim()) ?? []
  return !held.includes(tag) && held.includes(weakOf(tag)) ? weakOf(tag) : tag
}

/** Inputs of a live response besides the frame. */
export interface Variant {
  readonly shape: Shape
  /** Delay of live data for the caller's plan. */
  readonly delaySeconds: number
  /** Other inputs of the response, such as page, source and plan. */
  readonly also?: ReadonlyArray<string | number | undefined>
}

const variantOf = ({ shape, delaySeconds, also = [] }: Variant): string =>
  [shape, `d${delaySeconds}`, ...also.map((part) => part ?? "")].join(".")

/** `"<epoch>.<seq>-<variant>"`. Epoch and seq together are the stream cursor, so a client can resume a stream with the tag. */
export const frameTag = (frame: Pick<Frame, "epoch" | "seq">, variant: Variant): string =>
  `"${frame.epoch}.${frame.seq}-${variantOf(variant)}"`

/** Tag of a response about several matches: the newest frame of each, in order, and the total number of matches. */
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
