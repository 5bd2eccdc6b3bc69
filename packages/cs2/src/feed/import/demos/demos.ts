/** Import source `demos`: recordings of CS2 servers (`.dem`), parsed in another process. One match of one map per file. */
import { createHash } from "node:crypto"
import { stat } from "node:fs/promises"
import { bytesOf } from "@matchpoint/game/feed/import/files"
import { defineSource, type ImportFile, tallyOf, UnreadableFile } from "@matchpoint/game/feed/import/ImportSource"
import { Effect, Stream } from "effect"
import { ArchiveWriter } from "../../../archive/ArchiveWriter.ts"
import { parseDemo } from "./demoParser.ts"
import { readDemo } from "./readDemo.ts"

/** Bytes. Demos of long matches have several hundred MB. */
const MAX_BYTES = 2 * 1024 * 1024 * 1024

export const demos = defineSource({
  name: "demos",
  summary: "recordings of CS2 servers: *.dem",
  version: 1,
  takes: (name) => name.endsWith(".dem"),
  batchSize: 1,
  read: (file) => Stream.fromEffect(readFile(file)),
  write: (matches) =>
    Effect.gen(function* () {
      const writer = yield* ArchiveWriter
      return tallyOf(yield* writer.matches(matches))
    }),
})

const readFile = Effect.fn("demos.readFile")(function* (file: ImportFile) {
  yield* checkSize(file)
  const digest = yield* digestOf(file)
  const demo = yield* parseDemo(file.path)
  return readDemo(demo, { digest, name: file.name.slice(file.name.lastIndexOf("/") + 1) })
})

const checkSize = (file: ImportFile) =>
  Effect.flatMap(
    Effect.tryPromise({
      try: () => stat(file.path),
      catch: (cause) => new UnreadableFile({ reason: cause instanceof Error ? cause.message : String(cause) }),
    }),
    ({ size }) => (size > MAX_BYTES ? Effect.fail(new UnreadableFile({ reason: "the file exceeds 2 GB" })) : Effect.void),
  )

const SOURCE_2 = "PBDEMS2\0"
const SOURCE_1 = "HL2DEMO\0"

/** Fails if the first bytes are not those of a demo, so that only demos reach the parser. */
const digestOf = Effect.fn("demos.digestOf")(function* (file: ImportFile) {
  const hash = createHash("sha256")
  let head: Buffer = Buffer.alloc(0)
  yield* Stream.runForEach(bytesOf(file), (chunk) =>
    Effect.sync(() => {
      if (head.length < SOURCE_2.length) head = Buffer.concat([head, chunk.subarray(0, SOURCE_2.length)]).subarray(0, SOURCE_2.length)
      hash.update(chunk)
    }),
  )
  const magic = head.toString("latin1")
  if (magic === SOURCE_1) return yield* new UnreadableFile({ reason: "this is a CS:GO demo; only CS2 demos are supported" })
  if (magic !== SOURCE_2) return yield* new UnreadableFile({ reason: "not a demo" })
  return hash.digest("hex").slice(0, 32)
})
