/** The games that this client has types for, one line each. Other games can be followed too; their documents are plain JSON objects. */
import type { Cs2Documents } from "./cs2/Cs2Documents.ts"

export interface KnownGames {
  readonly cs2: Cs2Documents
}

/** The game that `live` follows. */
export type DefaultGame = "cs2"
export const DEFAULT_GAME: DefaultGame = "cs2"
