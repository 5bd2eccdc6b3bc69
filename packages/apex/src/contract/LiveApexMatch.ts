/**
 * A live Apex lobby and its events in message format v1. Teams have numbers from 1 to 20, and the players of a team
 * from 1 to 3, in the order of the registration. Field names are in camel case, as in the archive of Apex.
 */
import { Timestamp } from "@matchpoint/contracts/timestamp"
import { MatchId } from "@matchpoint/domain/ids"
import { FeedSilence } from "@matchpoint/game/contract/FeedSilence"
import { Schema } from "effect"
import { ArchiveId, Region } from "../rules/archive/series.ts"
import { DeathCause, RingState } from "../rules/live/feedEvents.ts"
import { PlayerNumber, PlayerRef, TeamNumber } from "../rules/live/lobby.ts"

const described = <S extends Schema.Top>(schema: S, description: string) => schema.annotate({ description })
const nullable = Schema.NullOr
const Count = Schema.Natural
const Name = Schema.String

export const ApexLiveStatus = Schema.Literals(["upcoming", "live", "completed", "cancelled"])

/** The backup feed is in use while the main feed is silent. */
export const ApexLiveSource = Schema.Literals(["live", "live_backup"])

export const LivePlayer = Schema.Struct({
  player: PlayerNumber,
  id: described(nullable(ArchiveId), "Id in the archive; null if the feed does not know it"),
  name: Name,
})

export const LiveTeam = Schema.Struct({
  team: TeamNumber,
  id: described(nullable(ArchiveId), "Id in the archive; null if the feed does not know it"),
  name: Name,
  players: Schema.Array(LivePlayer),
})

export const LiveTournament = Schema.Struct({ id: nullable(ArchiveId), name: Name })

export const LobbyFormat = Schema.Struct({
  games: described(Count, "Number of games that are planned"),
  matchPoint: described(nullable(Count), "Points from which a team wins the series by winning a game; null if total points decide"),
})

export const LiveStanding = Schema.Struct({
  team: TeamNumber,
  rank: described(Count, "Teams that are equal by all rules share a rank"),
  points: described(
    Count,
    "Points of all games. In the game in progress, a team that is not out has the points of the worst placement that is still possible",
  ),
  kills: Count,
  hms: described(nullable(Count), "Highest match score: points of the best game; null before the first game"),
  wins: Count,
  isOnMatchPoint: described(Schema.Boolean, "true if the team wins the series by winning a game"),
})

export const LiveRing = Schema.Struct({
  ring: described(Count, "Number of the ring, counted from 1"),
  state: RingState,
  damagePerTick: described(nullable(Schema.Finite), "Health points"),
  centre: described(nullable(Schema.Struct({ x: Schema.Finite, y: Schema.Finite })), "Coordinates of the source"),
  radius: described(nullable(Schema.Finite), "In the unit of the coordinates"),
})

export const LivePlayerGame = Schema.Struct({
  player: PlayerNumber,
  legend: nullable(Name),
  state: Schema.Literals(["alive", "knocked", "dead"]),
  isConnected: Schema.Boolean,
  kills: Count,
  assists: Count,
  knockdowns: Count,
  revives: described(Count, "Teammates that this player has revived"),
  respawns: described(Count, "Teammates that this player has brought back into the game"),
  damage: described(nullable(Count), "Health points; null until the feed reports it"),
})

export const LiveTeamGame = Schema.Struct({
  team: TeamNumber,
  placement: described(nullable(TeamNumber), "null while the team is in the game"),
  kills: Count,
  alive: described(Count, "Players that are not dead"),
  players: Schema.Array(LivePlayerGame),
})

export const LiveGame = Schema.Struct({
  number: described(Count, "Number of the game, counted from 1"),
  map: Name,
  bannedLegends: described(nullable(Schema.Array(Name)), "null if the feed does not state them"),
  startedAt: Timestamp,
  ring: described(nullable(LiveRing), "null until the feed reports it"),
  teamsLeft: Count,
  playersLeft: Count,
  teams: Schema.Array(LiveTeamGame),
})

export const PastGameTeam = Schema.Struct({ team: TeamNumber, placement: TeamNumber, kills: Count, points: Count })

export const LivePastGame = Schema.Struct({
  number: Count,
  status: Schema.Literals(["completed", "cancelled"]),
  map: Name,
  bannedLegends: nullable(Schema.Array(Name)),
  startedAt: Timestamp,
  endedAt: Timestamp,
  isCorrected: described(Schema.Boolean, "true if officials have replaced the results"),
  teams: described(Schema.Array(PastGameTeam), "Empty if the game was cancelled"),
})

export const LiveApexMatch = Schema.Struct({
  id: described(MatchId, "Id of the lobby, which is also its `seriesId`"),
  status: ApexLiveStatus,
  source: described(ApexLiveSource, "Feed in use"),
  silence: FeedSilence,
  name: Name,
  stage: nullable(Name),
  region: nullable(Region),
  tournament: LiveTournament,
  format: LobbyFormat,
  teams: Schema.Array(LiveTeam),
  standings: described(Schema.Array(LiveStanding), "Moving standings, best team first"),
  readyFor: described(nullable(Count), "Number of the game whose lobby is ready; null if none is"),
  game: described(nullable(LiveGame), "Game in progress; null between games"),
  games: described(Schema.Array(LivePastGame), "Games that are over"),
  suspendedAt: described(nullable(Timestamp), "Set while play is suspended"),
  winner: nullable(TeamNumber),
  startedAt: nullable(Timestamp),
  endedAt: nullable(Timestamp),
  updatedAt: described(Timestamp, "Time of the last change, by the clock of the feed"),
}).annotate({ identifier: "LiveApexMatch" })
export type LiveApexMatch = typeof LiveApexMatch.Type

const optional = Schema.optionalKey

/** In both message formats. An event has the fields that its type needs. */
export const LiveApexEvent = Schema.Struct({
  eventId: Schema.String,
  type: Schema.Literals([
    "lobby_ready",
    "game_started",
    "ring",
    "knockdown",
    "kill",
    "revive",
    "respawn",
    "elimination",
    "disconnected",
    "reconnected",
    "game_ended",
    "game_corrected",
    "game_cancelled",
    "series_ended",
    "suspended",
    "resumed",
    "cancelled",
  ]),
  at: Timestamp,
  game: optional(Count),
  victim: optional(described(PlayerRef, "The player that was knocked down, killed, revived, respawned or disconnected")),
  attacker: optional(described(PlayerRef, "The player that did it. In `revive` and `respawn`, the teammate that helped")),
  assists: optional(Schema.Array(PlayerRef)),
  weapon: optional(Name),
  cause: optional(DeathCause),
  eliminated: optional(described(Schema.Struct({ team: TeamNumber, placement: TeamNumber }), "The team that is out because of it")),
}).annotate({ identifier: "LiveApexEvent" })
export type LiveApexEvent = typeof LiveApexEvent.Type
