/** Types of the Call of Duty data that the pages show, derived from the contract of the API. */
import type { Reads } from "@matchpoint/client"

export type Standings = Reads["/cod/cdl/standings"]["body"]
export type MatchItem = Reads["/cod/matches"]["body"]["data"][number]
export type UpcomingMatch = Reads["/cod/matches/upcoming"]["body"]["data"][number]
export type MatchDetail = Reads["/cod/matches/:matchId"]["body"]["data"]
export type MatchPlayers = Reads["/cod/matches/:matchId/player-stats"]["body"]["data"]
export type PlayerTotals = MatchPlayers["players"][number]
export type MapResult = Reads["/cod/matches/:matchId/maps"]["body"]["data"][number]
export type MapPlayers = Reads["/cod/matches/:matchId/maps/:mapNumber/player-stats"]["body"]["data"]
export type Trends = Reads["/cod/analytics/players/:id/trends"]["body"]
export type Clutches = Reads["/cod/analytics/players/:id/clutch-factor"]["body"]
export type PlayerMeetings = Reads["/cod/analytics/head-to-head"]["body"]
export type Comparison = Reads["/cod/analytics/compare"]["body"]
export type TeamStyle = Reads["/cod/analytics/teams/:slug/style"]["body"]
export type TeamMeetings = Reads["/cod/analytics/teams/head-to-head"]["body"]
export type MapComparison = Reads["/cod/analytics/teams/map-comparison"]["body"]
export type Gaps = Trends["gaps"]
