/**
 * What a game must provide so that its files can be imported: sources, and derivations from the imported data. Each
 * game has one value of this type in its own folder; the importer knows no specific game.
 */
import type { GameName } from "@matchpoint/domain/ids"
import type { StoreError } from "@matchpoint/store/StoreError"
import type { Effect } from "effect"
import type { ImportSource } from "./ImportSource.ts"

export interface Derivation<R> {
  /** Description for the user. */
  readonly what: string
  /** Computes the derivation. A second run without new data changes nothing. */
  readonly make: Effect.Effect<unknown, StoreError, R>
}

/** A source, and the folder in which the `all` command looks for its files. */
export interface FoldedSource<R> {
  readonly source: ImportSource<R>
  readonly folder: string
}

export interface ImportSection<R> {
  readonly game: GameName
  /** One line for the user that describes what is imported. */
  readonly summary: string
  /** Sources in the order in which `all` imports them. */
  readonly sources: ReadonlyArray<FoldedSource<R>>
  /** Data that is computed from everything imported, regardless of the source, in order. */
  readonly derivations: ReadonlyArray<Derivation<R>>
  /** Updates the table statistics of the database's query planner. Must not run within a transaction. */
  readonly analyze: Effect.Effect<void, StoreError, R>
}
