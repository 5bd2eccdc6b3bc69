/** A thread that never replies to the text `stuck`, ends at `end`, fails at `fail`, and draws nothing else. */
import { parentPort } from "node:worker_threads"
import type { ThreadMessage } from "../src/drawing/drawingThread.ts"
import type { QrImage } from "../src/QrImage.ts"

parentPort?.on("message", ({ data }: QrImage) => {
  if (data === "stuck") for (;;);
  if (data === "end") process.exit(1)
  const reply: ThreadMessage =
    data === "fail" ? { _tag: "Failed", error: new Error("broken") } : { _tag: "Refused", advice: String(process.pid) }
  parentPort?.postMessage(reply)
})

parentPort?.postMessage({ _tag: "Ready" } satisfies ThreadMessage)
