/**
 * What follows from everything that was imported of a game, whatever the source: made once, at the end of a command that has written
 * something, and made up for by the next one where that ended early. Which steps these are is the game's.
 */
import { Imports } from "@matchpoint/store/Imports"
import { Effect, Option } from "effect"
import type { Listener } from "./Importer.ts"
import type { ImportSection } from "./ImportSection.ts"

/** `always`: even where nothing was written. */
export const deriveAll = Effect.fn("import.deriveAll")(function* <R>(
  { derivations, game }: Pick<ImportSection<R>, "derivations" | "game">,
  tell: Listener,
  always: boolean,
) {
  const imports = (yield* Imports).of(game)
  const mark = yield* imports.underived
  if (Option.isNone(mark) && !always) return
  for (const { make, what } of derivations) {
    yield* tell({ type: "Deriving", what })
    yield* make
  }
  if (Option.isSome(mark)) yield* imports.derived(mark.value)
})
