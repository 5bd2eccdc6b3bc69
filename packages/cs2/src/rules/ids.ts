/** Ids of CS2: formats, constructors and parsers. Only this file and `../ids.ts` parse ids. */
import type { MatchId as AnyMatchId } from "@matchpoint/domain/ids"
import { Schema } from "effect"

const numbered = (prefix: string) => Schema.String.check(Schema.isPattern(new RegExp(`^${prefix}-[1-9][0-9]{0,15}$`, "u")))

/** Match id of CS2, `cs2-match-<n>` with n >= 1. Assignable to the `MatchId` of any game. */
export const MatchId = numbered("cs2-match").pipe(Schema.brand("MatchId"))
export type MatchId = typeof MatchId.Type

/** Team id, `cs2-team-<n>`. */
export const TeamId = numbered("cs2-team").pipe(Schema.brand("TeamId"))
export type TeamId = typeof TeamId.Type

/** Player id, `cs2-player-<n>`. For players known by their Steam account, n is the 32-bit Steam account id. */
export const PlayerId = numbered("cs2-player").pipe(Schema.brand("PlayerId"))
export type PlayerId = typeof PlayerId.Type

/** Id of an event (tournament), `cs2-event-<n>`. */
export const EventId = numbered("cs2-event").pipe(Schema.brand("EventId"))
export type EventId = typeof EventId.Type

/** Id of one map of a match, `cs2-match-<n>-map-<k>`. The API also calls such a map a game. */
export const GameId = Schema.String.check(Schema.isPattern(/^cs2-match-[1-9][0-9]{0,15}-map-[1-9]$/u)).pipe(Schema.brand("GameId"))
export type GameId = typeof GameId.Type

/** Id of a betting market, `cs2-odds-<n>`. */
export const OddsMarketId = numbered("cs2-odds").pipe(Schema.brand("OddsMarketId"))
export type OddsMarketId = typeof OddsMarketId.Type

export const matchId = (n: number): MatchId => MatchId.make(`cs2-match-${n}`)
export const teamId = (n: number): TeamId => TeamId.make(`cs2-team-${n}`)
export const playerId = (n: number): PlayerId => PlayerId.make(`cs2-player-${n}`)
export const eventId = (n: number): EventId => EventId.make(`cs2-event-${n}`)

export const teamNumber = (id: TeamId): number => Number(id.slice("cs2-team-".length))
export const playerNumber = (id: PlayerId): number => Number(id.slice("cs2-player-".length))
export const eventNumber = (id: EventId): number => Number(id.slice("cs2-event-".length))

export const oddsMarketNumber = (id: OddsMarketId): number => Number(id.slice("cs2-odds-".length))

export const gameOf = (id: GameId): { readonly matchNumber: number; readonly mapNumber: number } => {
  const [match = "", map = ""] = id.slice("cs2-match-".length).split("-map-")
  return { matchNumber: Number(match), mapNumber: Number(map) }
}

/** `k` counts from 1. */
export const mapId = (match: AnyMatchId, mapNumber: number): string => `${match}-map-${mapNumber}`

const STEAM_ID_64_BASE = 76561197960265728n

/** Undefined for bots and malformed ids. */
export const playerIdOfSteamId64 = (steamId64: string): PlayerId | undefined => {
  if (!/^[0-9]{17}$/.test(steamId64)) return undefined
  const account = BigInt(steamId64) - STEAM_ID_64_BASE
  return account > 0n && account <= 0xffffffffn ? playerId(Number(account)) : undefined
}
