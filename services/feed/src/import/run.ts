/**
 * Runs an import on a given database: selects the sources and their files, imports them, runs the derivations, and
 * prints messages.
 */
import type { ImportSection, SourceFolder } from "@matchpoint/game/feed/import/ImportSection"
import type { ImportFile, ImportSource } from "@matchpoint/game/feed/import/ImportSource"
import { Console, Effect, FileSystem, Path, Result, Schema } from "effect"
import { display } from "./Display.ts"
import { deriveAll } from "./derive.ts"
import { findFiles } from "./findFiles.ts"
import { type ImportOptions, importSource, type Listener } from "./Importer.ts"
import { refreshPlannerStatistics } from "./knownGrowth.ts"
import type { SourceSummary } from "./Progress.ts"
import { rejectsInto } from "./Rejects.ts"
import { summaryTable } from "./show.ts"

/** None of the files could be read. */
export class NothingImported extends Schema.TaggedError<NothingImported>()("NothingImported", { message: Schema.String }) {}

const UNFINISHED = "\nThe import is not complete. Everything written so far stays. Run the same command again to continue."

export interface RunOptions extends ImportOptions {
  /** Path of the file for rejected records. */
  readonly rejects: string
  readonly isTerminal: boolean
}

/** `path` is the file or folder of the source. */
export interface Selected<R> {
  readonly source: ImportSource<R>
  readonly path: string
}

export const runImport = Effect.fn("runImport")(function* <R>(
  section: Pick<ImportSection<R>, "analyze" | "derivations" | "game" | "isDerived" | "report">,
  selected: ReadonlyArray<Selected<R>>,
  options: RunOptions,
) {
  const rejects = yield* rejectsInto(options.rejects)
  const shown = yield* display(options.isTerminal)
  const growth = yield* refreshPlannerStatistics(section.analyze)
  const listener: Listener = (event) => Effect.andThen(Effect.andThen(rejects.listener(event), shown(event)), growth(event))
  const summaries: Array<SourceSummary> = []
  const work = Effect.gen(function* () {
    for (const { files, source } of yield* filesOf(selected))
      summaries.push(yield* importSource(section.game, source, files, listener, options))
    yield* deriveAll(section, listener, options.again === true)
  })
  yield* Effect.onInterrupt(
    Effect.tapErrorTag(work, "StoreError", () => Console.error(UNFINISHED)),
    () => Console.log("\nStopped. Run the same command again to continue."),
  )
  yield* Console.log(`\n${summaryTable(summaries)}`)
  if (section.report !== undefined) for (const line of yield* section.report) yield* Console.log(line)
  const rejected = yield* rejects.count
  if (rejected > 0) yield* Console.log(`\n${rejected.toLocaleString("en")} rejected; the reasons are in ${rejects.file}`)
  if (!summaries.some(({ files }) => files.done + files.skipped > 0)) {
    return yield* new NothingImported({ message: "None of the files could be read." })
  }
  return summaries
})

/** Finds the files of every source before the first one is read, so that a wrong path is reported at once. */
const filesOf = Effect.fnUntraced(function* <R>(selected: ReadonlyArray<Selected<R>>) {
  const found: Array<{ readonly source: ImportSource<R>; readonly files: ReadonlyArray<ImportFile> }> = []
  for (const { path, source } of selected) {
    const files = yield* Effect.result(findFiles(source, path))
    if (Result.isFailure(files)) return yield* new NothingImported({ message: files.failure.reason })
    if (files.success.length === 0) {
      return yield* new NothingImported({ message: `${path} has no files for "${source.name}": ${source.summary}` })
    }
    found.push({ source, files: files.success })
  }
  return found
})

/** The known sources that have files in their folder below `root`. */
export const selectAll = Effect.fn("selectAll")(function* <R>(known: ReadonlyArray<SourceFolder<R>>, root: string) {
  const files = yield* FileSystem.FileSystem
  const paths = yield* Path.Path
  const selected: Array<Selected<R>> = []
  for (const { folder, source } of known) {
    const path = paths.join(root, folder)
    const found = yield* Effect.orElseSucceed(
      Effect.map(findFiles(source, path), ({ length }) => length > 0),
      () => false,
    )
    if (found) selected.push({ source, path })
    else yield* Console.log(`${source.name}: no files in ${path}`)
  }
  if (selected.length > 0) return selected
  const exists = yield* Effect.orElseSucceed(files.exists(root), () => false)
  return yield* new NothingImported({ message: `${root} ${exists ? "has no files to import" : "does not exist"}` })
})
