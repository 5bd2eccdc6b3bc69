/**
 * List of rejected records and files, one line of JSON each, with the reason and an excerpt. The file is created at the
 * first rejection. Lines of earlier imports are preserved.
 */
import { Effect, FileSystem, Path, Ref } from "effect"
import type { Listener } from "./Importer.ts"

const MAX_RECORD_LENGTH = 4_000
const MAX_REASON_LENGTH = 1_000

export interface Rejects {
  readonly listener: Listener
  readonly file: string
  /** Number of lines that this import has written. */
  readonly count: Effect.Effect<number>
}

export const rejectsInto = Effect.fn("rejectsInto")(function* (file: string) {
  const files = yield* FileSystem.FileSystem
  const paths = yield* Path.Path
  const count = yield* Ref.make(0)
  const write = Effect.fnUntraced(function* (line: Readonly<Record<string, unknown>>) {
    if ((yield* Ref.getAndUpdate(count, (lines) => lines + 1)) === 0) yield* files.makeDirectory(paths.dirname(file), { recursive: true })
    yield* files.writeFileString(file, `${JSON.stringify(line)}\n`, { flag: "a" })
  }, Effect.orDie)

  const listener: Listener = (event) => {
    if (event.type === "Rejected") {
      const { number, reason, record } = event.rejection
      return write({
        source: event.source,
        file: event.file,
        record: number,
        reason: shortened(reason, MAX_REASON_LENGTH),
        told: shortRecord(record),
      })
    }
    if (event.type === "FileRefused") {
      return write({ source: event.source, file: event.file, record: null, reason: shortened(event.reason, MAX_REASON_LENGTH), told: null })
    }
    return Effect.void
  }
  return { listener, file, count: Ref.get(count) } satisfies Rejects
})

/** The record, or the beginning of its JSON text if it is too long. */
const shortRecord = (record: unknown): unknown => {
  const text = JSON.stringify(record) ?? "null"
  return text.length <= MAX_RECORD_LENGTH ? record : shortened(text, MAX_RECORD_LENGTH)
}

const shortened = (text: string, length: number): string => (text.length <= length ? text : `${text.slice(0, length - 1)}…`)
