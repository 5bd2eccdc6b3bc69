/**
 * A process that EventLogFile.test.ts kills: `node fileAppender.ts <directory>` appends forever from eight fibers. It
 * writes the number of each record to stdout once, after the record was acknowledged.
 */
import { writeSync } from "node:fs"
import { Effect, Ref } from "effect"
import { EventLog } from "../src/EventLog.ts"
import * as EventLogFile from "../src/EventLogFile.ts"

const [directory = ""] = process.argv.slice(2)

const appendForEver = Effect.gen(function* () {
  const log = yield* EventLog
  const next = yield* Ref.make(1)
  const appendOne = Effect.gen(function* () {
    const n = yield* Ref.getAndUpdate(next, (it) => it + 1)
    yield* log.append(`feed.${n % 8}`, `fact:${n}`, new TextEncoder().encode(String(n)))
    writeSync(1, `${n}\n`)
  })
  yield* Effect.all(
    Array.from({ length: 8 }, () => Effect.forever(appendOne)),
    { concurrency: 8, discard: true },
  )
})

const streams = [{ name: "FEED", subjects: ["feed.*"], maxBytes: 64_000_000 }]
await Effect.runPromise(Effect.provide(appendForEver, EventLogFile.layer({ directory, streams, segmentBytes: 64 * 1024 })))
