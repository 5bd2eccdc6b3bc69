/** Files of a source, sorted, with fingerprints to detect changed ones. */
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { pipeline } from "node:stream/promises"
import { type ImportFile, type ImportSource, UnreadableFile } from "@matchpoint/game/feed/import/ImportSource"
import { Effect, FileSystem, Path } from "effect"

/** A folder with more files is probably the wrong one, so the import fails. */
const MAX_FILES = 200_000

/** The files of a folder with relative names, or the file itself. Fails if the path does not exist. */
export const findFiles = Effect.fn("import.findFiles")(function* <R>(source: ImportSource<R>, path: string) {
  const files = yield* FileSystem.FileSystem
  const paths = yield* Path.Path
  const info = yield* Effect.mapError(files.stat(path), () => new UnreadableFile({ reason: `${path}: the file or folder does not exist` }))
  const isFolder = info.type === "Directory"
  const root = isFolder ? path : paths.dirname(path)
  const names = isFolder || source.companions !== undefined ? yield* namesIn(root) : []
  const chosen = isFolder ? names.filter(source.takes) : [paths.basename(path)]
  const at = (name: string): ImportFile => ({ name, path: paths.join(root, name), companions: new Map() })
  return chosen
    .toSorted((one, other) => source.order(one) - source.order(other) || (one < other ? -1 : 1))
    .map((name): ImportFile => {
      const companions = source.companions?.(name, names).toSorted() ?? []
      return { ...at(name), companions: new Map(companions.map((companion) => [companion, at(companion)])) }
    })
})

/** The separator is `/` on every operating system. */
const namesIn = Effect.fnUntraced(function* (folder: string) {
  const files = yield* FileSystem.FileSystem
  const names = yield* Effect.mapError(
    files.readDirectory(folder, { recursive: true }),
    (error) => new UnreadableFile({ reason: `${folder}: ${error.message}` }),
  )
  if (names.length > MAX_FILES) {
    return yield* new UnreadableFile({ reason: `${folder} has ${names.length} files; pass the folder of the source itself` })
  }
  return names.map((name) => name.replaceAll("\\", "/"))
})

/** Changes with the file, its companion files and the version of its source. */
export const fingerprintOf = Effect.fn("import.fingerprintOf")(function* (file: ImportFile, version: number) {
  const hash = createHash("sha256").update(`${version}`)
  for (const part of [file, ...file.companions.values()]) {
    hash.update(`\0${part.name}\0`)
    yield* Effect.tryPromise({
      try: (signal) =>
        pipeline(
          createReadStream(part.path, { highWaterMark: 1024 * 1024 }),
          async (chunks: AsyncIterable<Buffer>) => {
            for await (const chunk of chunks) hash.update(chunk)
          },
          { signal },
        ),
      catch: (cause) => new UnreadableFile({ reason: `${part.name}: ${cause instanceof Error ? cause.message : String(cause)}` }),
    })
  }
  return hash.digest("hex")
})
