/**
 * One run of the import command on a database: which sources, their files, what follows from them, what is told on the way and in the end. It does not know
 * which database that is.
 */
import { Console, Effect, FileSystem, Path, Result, Schema } from "effect"
import { display } from "./Display.ts"
import { deriveAll } from "./derive.ts"
import { findFiles } from "./findFiles.ts"
import { type ImportOptions, importSource, type Listener } from "./Importer.ts"
import type { FoldedSource, ImportSection } from "./ImportSection.ts"
import type { ImportFile, ImportSource } from "./ImportSource.ts"
import { knownGrowth } from "./knownGrowth.ts"
import type { SourceSummary } from "./Progress.ts"
import { rejectsInto } from "./Rejects.ts"
import { summaryTable } from "./show.ts"

/** Not one file could be read. */
export class NothingImported extends Schema.TaggedError<NothingImported>()("NothingImported", { message: Schema.String }) {}

export interface RunOptions extends ImportOptions {
  /** File of rejects. */
  readonly rejects: string
  readonly isTerminal: boolean
}

/** A source and the file or folder it is to read. */
export interface Selected<R> {
  readonly source: ImportSource<R>
  readonly path: string
}

export const runImport = Effect.fn("runImport")(function* <R>(
  section: Pick<ImportSection<R>, "analyze" | "derivations" | "game">,
  selected: ReadonlyArray<Selected<R>>,
  options: RunOptions,
) {
  const rejects = yield* rejectsInto(options.rejects)
  const shown = yield* display(options.isTerminal)
  const growth = yield* knownGrowth(section.analyze)
  const tell: Listener = (event) => Effect.andThen(Effect.andThen(rejects.listener(event), shown(event)), growth(event))
  const summaries: Array<SourceSummary> = []
  const work = Effect.gen(function* () {
    for (const { files, source } of yield* filesOf(selected))
      summaries.push(yield* importSource(section.game, source, files, tell, options))
    yield* deriveAll(section, tell, options.again === true)
  })
  yield* Effect.onInterrupt(work, () => Console.log("\nStopped. The same command goes on where this one was left."))
  yield* Console.log(`\n${summaryTable(summaries)}`)
  const rejected = yield* rejects.count
  if (rejected > 0) yield* Console.log(`\n${rejected.toLocaleString("en")} left out; the reasons are in ${rejects.file}`)
  if (!summaries.some(({ files }) => files.done + files.skipped > 0)) {
    return yield* new NothingImported({ message: "None of the files could be read." })
  }
  return summaries
})

/** Every source with its files, before the first is touched: a wrong path is told at once. */
const filesOf = Effect.fnUntraced(function* <R>(selected: ReadonlyArray<Selected<R>>) {
  const found: Array<{ readonly source: ImportSource<R>; readonly files: ReadonlyArray<ImportFile> }> = []
  for (const { path, source } of selected) {
    const files = yield* Effect.result(findFiles(source, path))
    if (Result.isFailure(files)) return yield* new NothingImported({ message: files.failure.reason })
    if (files.success.length === 0) {
      return yield* new NothingImported({ message: `${path} holds nothing of "${source.name}": ${source.summary}` })
    }
    found.push({ source, files: files.success })
  }
  return found
})

/** Of everything that is known, what a folder of everything holds. */
export const selectAll = Effect.fn("selectAll")(function* <R>(known: ReadonlyArray<FoldedSource<R>>, root: string) {
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
    else yield* Console.log(`${source.name}: nothing of it in ${path}`)
  }
  if (selected.length > 0) return selected
  const exists = yield* Effect.orElseSucceed(files.exists(root), () => false)
  return yield* new NothingImported({ message: `${root} ${exists ? "holds nothing that can be imported" : "does not exist"}` })
})
