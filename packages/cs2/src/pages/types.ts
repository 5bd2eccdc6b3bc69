/** Types of the data that the pages show, derived from the types of the API client. */
import type { Cs2EventV1, Cs2MatchV1, LiveChange, Reads } from "@matchpoint/client"

type Data<Path extends keyof Reads> = Extract<Reads[Path]["body"], { readonly data: unknown }>["data"]

export type LiveMatch = Cs2MatchV1
export type LivePlayer = LiveMatch["players"][number]
export type LiveTeam = LiveMatch["teams"][number]
export type LiveMap = LiveMatch["maps"][number]
export type LiveRound = LiveMatch["rounds"][number]
export type LiveGame = NonNullable<LiveMatch["game"]>
export type LiveBomb = NonNullable<LiveGame["bomb"]>
export type WinTypeName = LiveRound["winType"]
export type Happening = Cs2EventV1
export type Change = LiveChange<"v1">
/** Summary of a match in the list of the live matches of all games. */
export type LiveListItem = Pick<LiveMatch, "bestOf" | "currentGame" | "eventName" | "feed" | "matchId" | "status" | "teams">

export type TeamProfile = Data<"/cs2/teams/:teamIdOrSlug">
export type PlayerProfile = Data<"/cs2/players/:playerIdOrSlug">
export type MatchDetail = Data<"/cs2/matches/:matchId">
export type MatchSummary = PlayerProfile["recentMatches"][number]
export type EventRow = Data<"/cs2/events/:eventIdOrSlug">
export type EventParticipant = Data<"/cs2/events/:eventId/participants">[number]
