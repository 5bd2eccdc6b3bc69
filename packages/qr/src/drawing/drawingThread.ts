/** Entry of a thread that draws QR codes, one after another. `QrThreads` starts it. */
import { parentPort } from "node:worker_threads"
import type { Drawing, QrImage } from "../QrImage.ts"
import { draw } from "./draw.ts"

/** `Ready` is sent once, when the thread can draw. All other messages are replies, one per image. */
export type ThreadMessage = { readonly _tag: "Ready" } | Drawing | { readonly _tag: "Failed"; readonly error: unknown }

const port = parentPort
if (port === null) throw new Error("drawingThread must be started as a worker thread")

port.on("message", (image: QrImage) => {
  draw(image).then(
    (drawing) => port.postMessage(drawing satisfies ThreadMessage, drawing._tag === "Drawn" ? [drawing.bytes.buffer] : []),
    (error: unknown) => port.postMessage({ _tag: "Failed", error } satisfies ThreadMessage),
  )
})

port.postMessage({ _tag: "Ready" } satisfies ThreadMessage)
