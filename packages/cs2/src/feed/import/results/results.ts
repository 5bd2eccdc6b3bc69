/** Import source `results`: whole matches with vetoes, half scores and player statistics, one JSON array per file. */
import { jsonOf } from "@matchpoint/game/feed/import/files"
import { defineSource, tallyOf, UnreadableFile } from "@matchpoint/game/feed/import/ImportSource"
import { Effect, Result, Stream } from "effect"
import { ArchiveWriter } from "../../../archive/ArchiveWriter.ts"
import { readResult } from "./readResult.ts"

export const results = defineSource({
  name: "results",
  summary: "match results with vetoes, half scores and player statistics: results-*.json(.gz)",
  version: 2,
  takes: (name) => /(^|\/)results-[^/]*\.json(\.gz)?$/.test(name),
  batchSize: 100,
  read: (file) =>
    Stream.unwrap(
      Effect.flatMap(jsonOf(file), (value) =>
        Array.isArray(value)
          ? Effect.succeed(matchesOf(value))
          : Effect.fail(new UnreadableFile({ reason: "the file is not a JSON array of matches" })),
      ),
    ),
  write: (matches) =>
    Effect.gen(function* () {
      const writer = yield* ArchiveWriter
      return tallyOf(yield* writer.matches(matches))
    }),
})

/** The records are sorted newest first, so the earliest date so far bounds the date of a match without one. */
const matchesOf = (records: ReadonlyArray<unknown>) =>
  Stream.mapAccum(
    Stream.fromIterable(records),
    (): number | undefined => undefined,
    (oldest, record) => {
      const read = readResult(record, oldest)
      const at = Result.isSuccess(read) ? read.success.startsAt : undefined
      return [at === undefined ? oldest : Math.min(oldest ?? at, at), [read]] as const
    },
  )
