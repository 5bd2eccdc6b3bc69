/** A game's imports: sources, and derivations, which compute further data from the imported data. */
import type { GameName } from "@matchpoint/domain/ids"
import type { StoreError } from "@matchpoint/store/StoreError"
import type { OnStep } from "@matchpoint/store/steps"
import { Context, Effect } from "effect"
import type { ImportSource } from "./ImportSource.ts"

/** `deriveAll` provides the listener that shows the steps to the user. */
export const DerivationSteps = Context.Reference<OnStep>("@matchpoint/service-feed/import/DerivationSteps", {
  defaultValue: () => () => Effect.void,
})

export interface Derivation<R> {
  /** Description that the user sees. */
  readonly what: string
  /** A second run without new data changes nothing. */
  readonly make: Effect.Effect<unknown, StoreError, R>
}

/** Source, and the folder in which the `all` command looks for its files. */
export interface SourceFolder<R> {
  readonly source: ImportSource<R>
  readonly folder: string
}

export interface ImportSection<R> {
  readonly game: GameName
  /** Summary of the imported data, in one line for the user. */
  readonly summary: string
  /** True if the command has no argument for the source and always imports a folder with all sources. */
  readonly wholeFolder?: boolean | undefined
  /** Sources in the order in which `all` imports them. */
  readonly sources: ReadonlyArray<SourceFolder<R>>
  /** Derivations in the order in which they run. They compute data from everything imported, regardless of the source. */
  readonly derivations: ReadonlyArray<Derivation<R>>
  /** False if the derived data are of another version. The derivations then run although nothing new was imported. */
  readonly isDerived?: Effect.Effect<boolean, StoreError, R> | undefined
  /** Updates the statistics of the query planner. Must not run within a transaction. */
  readonly analyze: Effect.Effect<void, StoreError, R>
  /** Lines that are printed after an import, such as numbers of stored rows by kind. */
  readonly report?: Effect.Effect<ReadonlyArray<string>, StoreError, R> | undefined
}
