/**
 * Runs a game's derivations (computations from the imported data) at the end of every import that has written
 * something. If an import ends before, the next one runs them.
 */
import { DerivationSteps, type ImportSection } from "@matchpoint/game/feed/import/ImportSection"
import { Imports } from "@matchpoint/store/Imports"
import { Effect, Option } from "effect"
import type { Listener } from "./Importer.ts"

/**
 * Runs them if data has been imported since they last ran, if the game states that the derived data are outdated, or if
 * `always` is true.
 */
export const deriveAll = Effect.fn("import.deriveAll")(function* <R>(
  { derivations, game, isDerived = Effect.succeed(true) }: Pick<ImportSection<R>, "derivations" | "game" | "isDerived">,
  listener: Listener,
  always: boolean,
) {
  const imports = (yield* Imports).of(game)
  const mark = yield* imports.underived
  if (Option.isNone(mark) && !always && (yield* isDerived)) return
  for (const { make, what } of derivations) {
    yield* listener({ type: "Deriving", what })
    yield* Effect.provideService(make, DerivationSteps, (step) => listener({ type: "DerivingStep", what, ...step }))
  }
  if (Option.isSome(mark)) yield* imports.derived(mark.value)
})
