/** Encodes server-sent events as bytes. The JSON has no line breaks, so it fits in one `data:` line. */
import { frameNames } from "@matchpoint/contracts/game/LiveContract"
import { formatCursor, parseCursor } from "@matchpoint/contracts/stream/cursors"
import { positionBefore } from "@matchpoint/contracts/stream/wire"
import type { Frame } from "./Frame.ts"

const utf8 = new TextEncoder()
const text = new TextDecoder()
const END = utf8.encode("\n\n")

export type FrameKind = "update" | "delta" | "snapshot"

/**
 * All clients get this event, so the bytes are copied only once. The event id becomes the client's cursor: include it
 * only if all frames before this one have been sent.
 */
export const frameEvent = (kind: FrameKind, frame: Frame, bytes: Uint8Array, withId = true): Uint8Array => {
  const prefix = utf8.encode(`${withId ? `id: ${formatCursor(frame)}\n` : ""}event: ${frameNames(frame.game.game)[kind]}\ndata: `)
  const event = new Uint8Array(prefix.length + bytes.length + END.length)
  event.set(prefix)
  event.set(bytes, prefix.length)
  event.set(END, prefix.length + bytes.length)
  return event
}

/** `id` becomes the client's cursor. */
export const sseEvent = (event: string, data: unknown, options: { readonly id?: string; readonly retryMs?: number } = {}): Uint8Array =>
  utf8.encode(
    `${options.id === undefined ? "" : `id: ${options.id}\n`}${options.retryMs === undefined ? "" : `retry: ${options.retryMs}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`,
  )

/**
 * Log position directly before the first of the joined events. A client that received everything before them has all
 * frames up to it. Undefined if the events contain no position.
 */
export const positionBeforeEvent = (event: Uint8Array): number | undefined => {
  const beginning = text.decode(event.subarray(0, 256))
  const id = /^id: (\S+)\n/.exec(beginning)?.[1]
  if (id === undefined) return positionBefore(utf8.encode(/\ndata: (.*)/.exec(beginning)?.[1] ?? ""))
  const cursor = parseCursor(id)
  return cursor === undefined ? undefined : cursor.position - 1
}

export const joined = (parts: ReadonlyArray<Uint8Array>): Uint8Array => {
  const [only] = parts
  if (parts.length === 1 && only !== undefined) return only
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
