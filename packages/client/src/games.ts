/** Lists the games that this client has types for, one per line. Documents of other games are typed as JSON objects. */
import type { ApexDocuments } from "./apex/ApexDocuments.ts"
import type { CodDocuments } from "./cod/CodDocuments.ts"
import type { Cs2Documents } from "./cs2/Cs2Documents.ts"
import type { TennisDocuments } from "./tennis/TennisDocuments.ts"

export type { ApexEvent, ApexMatch, ApexMatchV1 } from "./apex/ApexDocuments.ts"
export type { CodEvent, CodMatch, CodMatchV1 } from "./cod/CodDocuments.ts"
export type { Cs2Event, Cs2EventV1, Cs2Match, Cs2MatchV1 } from "./cs2/Cs2Documents.ts"
export type { TennisEvent, TennisMatch, TennisMatchV1 } from "./tennis/TennisDocuments.ts"

export interface KnownGames {
  readonly apex: ApexDocuments
  readonly cod: CodDocuments
  readonly cs2: Cs2Documents
  readonly tennis: TennisDocuments
}

/** The default game: the one that `live` follows if no other game is chosen. */
export type DefaultGame = "cs2"
export const DEFAULT_GAME: DefaultGame = "cs2"
