/** Entity tags (RFC 9110): how those of live reads are made, and whether a request names one. Pure. */
import type { Shape } from "@matchpoint/contracts/stream/frames"
import type { Frame } from "@matchpoint/realtime/Frame"

/** Whether `If-None-Match` names the tag: for GET and HEAD the comparison is weak, so `W/` does not matter. */
export const namesTag = (ifNoneMatch: string | undefined, tag: string): boolean => {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === "*") return true
  return ifNoneMatch.split(",").some((one) => one.trim().replace(/^W\//, "") === tag)
}

/** The weak form of a strong tag: the same answer, in other bytes. */
export const weakOf = (tag: string): string => (tag.startsWith("W/") ? tag : `W/${tag}`)

/**
 * The tag that a 304 tells: the form of `tag` that the request named, because caches look up what they hold by it. Compressed answers have
 * the weak form.
 */
export const heldTag = (ifNoneMatch: string | undefined, tag: string): string => {
  const held = ifNoneMatch?.split(",").map((one) => one.trim()) ?? []
  return !held.includes(tag) && held.includes(weakOf(tag)) ? weakOf(tag) : tag
}

/** What the caller and his request make of an answer. */
export interface Variant {
  readonly shape: Shape
  /** The tier he reads. */
  readonly delaySeconds: number
  /** Whatever else the answer depends on besides the frame: page, source, plan. */
  readonly also?: ReadonlyArray<string | number | undefined>
}

const variantOf = ({ shape, delaySeconds, also = [] }: Variant): string =>
  [shape, `d${delaySeconds}`, ...also.map((part) => part ?? "")].join(".")

/** `"<epoch>.<seq>-<variant>"`: the cursor of the streams, readable for whoever wants to go on there. */
export const frameTag = (frame: Pick<Frame, "epoch" | "seq">, variant: Variant): string =>
  `"${frame.epoch}.${frame.seq}-${variantOf(variant)}"`

/** Of an answer made of several matches: of the newest frame of each that is shown, in their order, and how many there are. */
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
