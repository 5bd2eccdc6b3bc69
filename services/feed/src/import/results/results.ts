/** `results`: whole matches with vetoes, half scores and player lines, a JSON array of them per file. */
import { ArchiveWriter } from "@matchpoint/store/cs2/ArchiveWriter"
import { Effect, Stream } from "effect"
import { jsonOf } from "../files.ts"
import { defineSource, tallyOf, UnreadableFile } from "../ImportSource.ts"
import { readResult } from "./readResult.ts"

export const results = defineSource({
  name: "results",
  summary: "match results with vetoes, half scores and player lines: results-*.json(.gz)",
  version: 1,
  takes: (name) => /(^|\/)results-[^/]*\.json(\.gz)?$/.test(name),
  batchSize: 100,
  read: (file) =>
    Stream.unwrap(
      Effect.flatMap(jsonOf(file), (value) =>
        Array.isArray(value)
          ? Effect.succeed(Stream.map(Stream.fromIterable<unknown>(value), readResult))
          : Effect.fail(new UnreadableFile({ reason: "not a list of matches" })),
      ),
    ),
  write: (matches) =>
    Effect.gen(function* () {
      const writer = yield* ArchiveWriter
      return tallyOf(yield* writer.matches(matches))
    }),
})
