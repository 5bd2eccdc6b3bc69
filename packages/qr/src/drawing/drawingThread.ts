/** Entry of a thread that draws QR codes, one after another. `QrThreads` starts it. */
import { parentPort } from "node:worker_threads"
import type { Drawing, QrImage } from "../QrImage.ts"
import { draw } from "./draw.ts"

export type ThreadReply = Drawing | { readonly _tag: "Failed"; readonly error: unknown }

const port = parentPort
if (port === null) throw new Error("drawingThread must be started as a worker thread")

port.on("message", (image: QrImage) => {
  draw(image).then(
    (drawing) => port.postMessage(drawing satisfies ThreadReply, drawing._tag === "Drawn" ? [drawing.bytes.buffer] : []),
    (error: unknown) => port.postMessage({ _tag: "Failed", error } satisfies ThreadReply),
  )
})
