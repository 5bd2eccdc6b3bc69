/**
 * What a game must bring so that its files can be imported: sources, and what follows from what they wrote. Each game has one value of
 * this type in its own folder; the importer knows no game.
 */
import type { GameName } from "@matchpoint/domain/ids"
import type { StoreError } from "@matchpoint/store/StoreError"
import type { Effect } from "effect"
import type { ImportSource } from "./ImportSource.ts"

export interface Derivation<R> {
  /** For people. */
  readonly what: string
  /** The same again changes nothing. */
  readonly make: Effect.Effect<unknown, StoreError, R>
}

/** A source, and the folder in which `all` finds its files. */
export interface FoldedSource<R> {
  readonly source: ImportSource<R>
  readonly folder: string
}

export interface ImportSection<R> {
  readonly game: GameName
  /** One line for people: what is imported. */
  readonly summary: string
  /** In the order in which `all` imports them. */
  readonly sources: ReadonlyArray<FoldedSource<R>>
  /** What is computed from everything that was imported, whatever the source, in order. */
  readonly derivations: ReadonlyArray<Derivation<R>>
  /** Updates what the database knows of the tables, by which it plans. Not within a transaction. */
  readonly analyze: Effect.Effect<void, StoreError, R>
}
