/** Server-sent events as bytes. Our JSON has no line breaks, so one `data:` line carries it. */
import { sseEvents, sseId } from "@matchpoint/contracts/stream/messages"
import type { Frame } from "@matchpoint/realtime/FrameRing"

const utf8 = new TextEncoder()
const END = utf8.encode("\n\n")

/** An update with the frame's bytes copied once; the same event goes to every follower. */
export const updateEvent = (matchId: string, frame: Frame): Uint8Array => {
  const prefix = utf8.encode(`id: ${sseId(matchId, frame.epoch, frame.seq)}\nevent: ${sseEvents.update}\ndata: `)
  const event = new Uint8Array(prefix.length + frame.bytes.length + END.length)
  event.set(prefix)
  event.set(frame.bytes, prefix.length)
  event.set(END, prefix.length + frame.bytes.length)
  return event
}

export const sseEvent = (event: string, data: unknown): Uint8Array => utf8.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
