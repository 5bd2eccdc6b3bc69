/** The progress of an import: one line that is overwritten on a terminal, otherwise a new line every few seconds. */
import { monotonicOf } from "@matchpoint/domain/monotonic"
import { Clock, Effect, Terminal } from "effect"
import type { Listener } from "./Importer.ts"
import type { ImportEvent } from "./Progress.ts"
import { progressLine, type Running, stepLine } from "./show.ts"

/** Minimum interval between two updates. */
const TERMINAL_MS = 100
const LOG_MS = 5_000

export const display = Effect.fn("display")(function* (isTerminal: boolean) {
  const terminal = yield* Terminal.Terminal
  let running: Running | undefined
  let begunAt = 0
  let lastAt = 0

  const write = (text: string) => Effect.orDie(terminal.display(text))
  const line = (text: string) => write(isTerminal ? `\r\x1b[K${text}\n` : `${text}\n`)

  const listener: Listener = Effect.fnUntraced(function* (event) {
    const now = monotonicOf(yield* Clock.Clock)()
    if (event.type === "SourceBegun") {
      begunAt = now
      lastAt = now
      running = { source: event.source, files: event.files, filesBehind: 0, file: "", records: 0, rejected: 0, seconds: 0 }
    }
    if (running === undefined) return
    running = { ...after(running, event), seconds: (now - begunAt) / 1000 }
    if (event.type === "Deriving") return yield* line(`then: ${event.what}`)
    if (event.type === "FileRefused") return yield* line(`${event.source}: ${event.file} was not imported completely: ${event.reason}`)
    if (event.type === "FileBegun" && event.from > 0) {
      return yield* line(`${event.source}: ${event.file} continues after its first ${event.from.toLocaleString("en")} rows`)
    }
    if (event.type === "DerivingStep") {
      if (now - lastAt < (isTerminal ? TERMINAL_MS : LOG_MS)) return
      lastAt = now
      const text = stepLine(event)
      return yield* write(isTerminal ? `\r\x1b[K${text}` : `${text}\n`)
    }
    const isLast = event.type === "SourceDone"
    if (!isLast && now - lastAt < (isTerminal ? TERMINAL_MS : LOG_MS)) return
    lastAt = now
    yield* isLast ? line(progressLine(running)) : write(isTerminal ? `\r\x1b[K${progressLine(running)}` : `${progressLine(running)}\n`)
  })
  return listener
})

const after = (running: Running, event: ImportEvent): Running => {
  switch (event.type) {
    case "FileBegun":
      return { ...running, file: event.file }
    case "BatchDone":
      return { ...running, records: running.records + event.records }
    case "Rejected":
      return { ...running, rejected: running.rejected + 1 }
    case "FileRefused":
      return { ...running, rejected: running.rejected + 1, filesBehind: running.filesBehind + 1 }
    case "FileSkipped":
    case "FileDone":
      return { ...running, filesBehind: running.filesBehind + 1 }
    case "SourceBegun":
    case "SourceDone":
    case "Deriving":
    case "DerivingStep":
      return { ...running, file: "" }
  }
}
