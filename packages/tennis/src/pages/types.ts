/** Tennis data that the pages show, derived from the contracts of the API. */
import type { Reads } from "@matchpoint/client"
import type { CompactTennisMatch as CompactMatch } from "../contract/CompactTennisMatch.ts"
import type { LiveTennisEvent, LiveTennisMatch, SideNumber as Side } from "../contract/LiveTennisMatch.ts"
import type { LiveTennisRow } from "../contract/tennisLive.ts"

type Data<Path extends keyof Reads> = Extract<Reads[Path]["body"], { readonly data: unknown }>["data"]

export type LiveMatch = LiveTennisMatch
export type LiveRow = LiveTennisRow
export type LiveEvent = LiveTennisEvent
/** Document in message format v2, which deltas patch. */
export type CompactTennisMatch = CompactMatch
export type LiveSide = LiveMatch["side1"]
export type LiveSet = LiveMatch["sets"][number]
export type LiveGame = NonNullable<LiveMatch["game"]>
export type Stake = NonNullable<LiveGame["stakes"]["side1"]>
export type SideNumber = Side

export type Profile = Data<"/tennis/players/:playerId">
export type PlayerStats = Data<"/tennis/players/:playerId/stats">
export type RankingRow = Data<"/tennis/rankings/history/:playerId">[number]
export type RankingCareer = NonNullable<Reads["/tennis/rankings/history/:playerId"]["body"]["meta"]["career"]>
export type MatchRow = Data<"/tennis/players/:playerId/matches">[number]
export type MatchDetail = Data<"/tennis/matches/:matchId">
export type PlayerBox = NonNullable<MatchDetail["statistics"]>["winner"]
export type HeadToHead = Data<"/tennis/h2h">
export type PlayerHit = Data<"/tennis/players/search">[number]
export type Competition = Data<"/tennis/competitions">[number]
export type Tournament = Data<"/tennis/tournaments/:tournamentId">
export type Draw = Data<"/tennis/tournaments/:tournamentId/draw">
export type DrawRound = Draw["rounds"][number]
export type DrawPlace = DrawRound["places"][number]
export type DrawSide = DrawPlace["sides"][number]
export type DrawPlayer = NonNullable<DrawSide["player"]>
export type DrawMatch = Draw["unplaced"][number]
