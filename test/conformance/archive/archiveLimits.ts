/**
 * Maximum and default `limit` of every list: from section 8 of the specification and from the tables of stats,
 * transfers and events in section 4. Where the specification is silent, the product's own numbers. Data only.
 */
import { dataLimits } from "@matchpoint/cs2/contract/http/data/dataLimits"

export interface Limits {
  readonly max: number
  readonly usual: number
  /** Source of the maximum. */
  readonly by: "specification" | "us"
}

const USUAL = 50
const theirs = (max: number): Limits => ({ max, usual: Math.min(USUAL, max), by: "specification" })
const ours = (max: number, usual = USUAL): Limits => ({ max, usual, by: "us" })

const events = (root: string): Readonly<Record<string, Limits>> => ({
  [root]: theirs(100),
  [`${root}/live`]: theirs(100),
  [`${root}/upcoming`]: theirs(100),
  [`${root}/recent`]: theirs(100),
  [`${root}/calendar`]: theirs(250),
  [`${root}/active`]: theirs(250),
  [`${root}/{eventId}/participants`]: ours(100),
  [`${root}/{eventId}/matches`]: ours(dataLimits.matches),
})

const stats = [
  "players",
  "teams",
  "maps",
  "weapons",
  "pistol-rounds",
  "opening-duels",
  "clutches",
  "flash-assists",
  "utility",
  "economy",
].map((name) => `/cs2/stats/${name}`)

export const limits: Readonly<Record<string, Limits>> = {
  ...events("/cs2/events"),
  ...events("/cs2/tournaments"),
  ...Object.fromEntries(["/cs2/leaderboards/{metric}", ...stats].map((path) => [path, theirs(200)])),
  "/cs2/changelog": theirs(200),
  "/cs2/leagues": theirs(200),
  "/cs2/roster-changes/recent": theirs(200),
  "/cs2/transfers": theirs(200),
  "/cs2/transfers/recent": theirs(200),
  "/cs2/games/{gameId}/events": { ...theirs(5_000), usual: 500 },
  "/cs2/players/{playerId}/transfers": ours(200),
  "/cs2/teams/{teamId}/roster-history": ours(200),
  "/cs2/matches": ours(dataLimits.matches),
  "/cs2/matches/upcoming": ours(dataLimits.matches),
  "/cs2/matches/recent": ours(dataLimits.matches),
  "/cs2/matches/{matchId}/player-stats": ours(200, 200),
  "/cs2/games/{gameId}/rounds": ours(200, 200),
  "/cs2/maps/{mapId}/rounds": ours(200, 200),
  "/cs2/teams": ours(dataLimits.teams),
  "/cs2/players": ours(dataLimits.players),
  "/cs2/players/{playerIdOrSlug}/stats": ours(dataLimits.players),
  "/cs2/rankings": ours(dataLimits.rankings),
  "/cs2/rankings/teams": ours(dataLimits.rankings),
  "/cs2/odds": ours(dataLimits.odds),
  "/cs2/odds/markets/{marketId}/history": ours(dataLimits.oddsHistory),
  "/cs2/skins": ours(dataLimits.skins),
  "/cs2/skins/{skinIdOrSlug}/prices": ours(dataLimits.skinPrices),
  "/cs2/search": ours(dataLimits.search, 10),
  "/cs2/autocomplete": ours(dataLimits.search, 5),
  "/cs2/stats/form": ours(50, 10),
}
