/** The games that this client has types for. Documents of other games are typed as JSON objects. */
import type { ApexDocuments } from "@matchpoint/apex/client/ApexDocuments"
import type { CodDocuments } from "@matchpoint/cod/client/CodDocuments"
import type { Cs2Documents } from "@matchpoint/cs2/client/Cs2Documents"
import type { TennisDocuments } from "@matchpoint/tennis/client/TennisDocuments"

// biome-ignore lint/plugin: customers have no other package of these types
export type { ApexEvent, ApexMatch, ApexMatchV1 } from "@matchpoint/apex/client/ApexDocuments"
// biome-ignore lint/plugin: customers have no other package of these types
export type { CodEvent, CodMatch, CodMatchV1 } from "@matchpoint/cod/client/CodDocuments"
// biome-ignore lint/plugin: customers have no other package of these types
export type { Cs2Event, Cs2EventV1, Cs2Match, Cs2MatchV1 } from "@matchpoint/cs2/client/Cs2Documents"
// biome-ignore lint/plugin: customers have no other package of these types
export type { TennisEvent, TennisMatch, TennisMatchV1 } from "@matchpoint/tennis/client/TennisDocuments"

export interface KnownGames {
  readonly apex: ApexDocuments
  readonly cod: CodDocuments
  readonly cs2: Cs2Documents
  readonly tennis: TennisDocuments
}

/** The game that `live` follows. */
export type DefaultGame = "cs2"
export const DEFAULT_GAME: DefaultGame = "cs2"
