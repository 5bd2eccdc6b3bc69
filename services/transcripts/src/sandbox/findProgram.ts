/** Searches for programs as a shell does. */
import { access, constants } from "node:fs/promises"
import { isAbsolute, join } from "node:path"
import { Effect } from "effect"

/** Absolute path of an executable file. `searchPath` has directories separated by colons. */
export const findProgram = (program: string, searchPath: string): Effect.Effect<string | undefined> => {
  const candidates = isAbsolute(program)
    ? [program]
    : searchPath
        .split(":")
        .filter(isAbsolute)
        .map((directory) => join(directory, program))
  return Effect.gen(function* () {
    for (const path of candidates) if (yield* isExecutable(path)) return path
  })
}

const isExecutable = (path: string) =>
  Effect.promise(() =>
    access(path, constants.X_OK).then(
      () => true,
      () => false,
    ),
  )
