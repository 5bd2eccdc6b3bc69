/** The games whose documents this client knows by type: a line each. Every other game is followed as well, as plain JSON. */
import type { Cs2Documents } from "./cs2/Cs2Documents.ts"

export interface KnownGames {
  readonly cs2: Cs2Documents
}

/** What `live` follows without being told a game. */
export type DefaultGame = "cs2"
export const DEFAULT_GAME: DefaultGame = "cs2"
