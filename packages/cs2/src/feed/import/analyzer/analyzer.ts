/**
 * Import source `analyzer`: whole maps from demos that cs-demo-analyzer has converted to JSON, one file per map.
 * Statistics are computed from the events, not copied from the file.
 */
import { textOf } from "@matchpoint/game/feed/import/files"
import { defineSource, tallyOf, UnreadableFile } from "@matchpoint/game/feed/import/ImportSource"
import { Effect, Result, Schema, Stream } from "effect"
import { ArchiveWriter } from "../../../archive/ArchiveWriter.ts"
import { parseLosslessly } from "../../adapters/demoAnalyzer/AnalyzerMatch.ts"
import { AnalyzedMap } from "./AnalyzedMap.ts"
import { readMatch } from "./readMatch.ts"

export const analyzer = defineSource({
  name: "analyzer",
  summary: "maps analyzed by cs-demo-analyzer, with every kill, damage and purchase: *.json(.gz)",
  version: 1,
  takes: (name) => /\.json(\.gz)?$/.test(name),
  batchSize: 5,
  read: (file) => Stream.fromEffect(Effect.map(Effect.flatMap(textOf(file), analyzedMapOf), readMatch)),
  write: (matches) =>
    Effect.gen(function* () {
      const writer = yield* ArchiveWriter
      return tallyOf(yield* writer.matches(matches))
    }),
})

const decode = Schema.decodeUnknownResult(AnalyzedMap)

export const analyzedMapOf = (text: string): Effect.Effect<AnalyzedMap, UnreadableFile> =>
  Effect.flatMap(
    Effect.try({
      try: () => parseLosslessly(text),
      catch: (cause) => new UnreadableFile({ reason: `not JSON: ${cause instanceof Error ? cause.message : String(cause)}` }),
    }),
    (json) =>
      Result.match(decode(json), {
        onSuccess: Effect.succeed,
        onFailure: (issue) =>
          Effect.fail(new UnreadableFile({ reason: `not a match file of cs-demo-analyzer: ${String(issue).slice(0, 500)}` })),
      }),
  )
