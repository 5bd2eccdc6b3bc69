/**
 * Webhook events of lobbies. The match service decides which change of a lobby is which event. Bodies and headers are
 * the same for all games.
 */
import { MatchId } from "@matchpoint/domain/ids"
import { changeFields, type DataOf, event, namesOf } from "@matchpoint/game/contract/webhookEventTypes"
import { Schema } from "effect"
import { DeathCause } from "../rules/live/feedEvents.ts"
import { PlayerNumber, TeamNumber } from "../rules/live/lobby.ts"
import { ApexLiveStatus, LiveApexMatch, LiveStanding, LiveTournament, PastGameTeam } from "./LiveApexMatch.ts"

const Count = Schema.Natural
const nullable = Schema.NullOr

const lobby = {
  matchId: MatchId,
  ...changeFields,
  name: Schema.String,
  tournament: LiveTournament,
  region: LiveApexMatch.fields.region,
  status: ApexLiveStatus,
} as const

const Player = Schema.Struct({
  team: TeamNumber,
  teamName: Schema.String,
  player: PlayerNumber,
  id: nullable(Schema.String),
  name: Schema.String,
})

const Standing = LiveStanding.mapFields(({ team, ...row }) => ({ team, teamName: Schema.String, ...row }))

const LobbyData = Schema.Struct(lobby).annotate({ identifier: "ApexLobbyData" })

const StandingsData = Schema.Struct({ ...lobby, standings: Schema.Array(Standing) }).annotate({ identifier: "ApexStandingsData" })

const GameData = Schema.Struct({ ...lobby, game: Count, map: Schema.String }).annotate({ identifier: "ApexGameData" })

const GameEndedData = Schema.Struct({
  ...GameData.fields,
  teams: Schema.Array(PastGameTeam.mapFields((fields) => ({ ...fields, teamName: Schema.String }))),
  standings: Schema.Array(Standing),
}).annotate({ identifier: "ApexGameEndedData" })

const attack = {
  ...lobby,
  game: Count,
  victim: Player,
  assists: Schema.Array(Player),
  weapon: nullable(Schema.String),
  cause: DeathCause,
} as const

const EliminationData = Schema.Struct({ ...attack, attacker: nullable(Player) }).annotate({ identifier: "ApexEliminationData" })

const KillData = Schema.Struct({ ...attack, attacker: Player }).annotate({ identifier: "ApexKillData" })

const TeamOutData = Schema.Struct({
  ...lobby,
  game: Count,
  team: TeamNumber,
  teamName: Schema.String,
  placement: TeamNumber,
  kills: Count,
  points: Count.annotate({ description: "Points of the team in this game" }),
  teamsLeft: Count,
}).annotate({ identifier: "ApexTeamEliminatedData" })

const MatchPointData = Schema.Struct({ ...lobby, team: TeamNumber, teamName: Schema.String, points: Count }).annotate({
  identifier: "ApexMatchPointData",
})

const EndedData = Schema.Struct({
  ...StandingsData.fields,
  winner: Schema.Struct({ team: TeamNumber, teamName: Schema.String }),
}).annotate({ identifier: "ApexMatchEndedData" })

/** An event occurs at most once per change of a lobby. */
export const apexWebhookEvents = {
  "apex.match.started": event(LobbyData, "match.started", "The first game of the series has started."),
  "apex.game.started": event(GameData, null, "A game has started."),
  "apex.player.kill": event(KillData, "player.kill", "A player has killed another one."),
  "apex.player.eliminated": event(EliminationData, "player.elimination", "A player has died, by any cause."),
  "apex.team.eliminated": event(TeamOutData, null, "A team is out of the game."),
  "apex.match_point.reached": event(MatchPointData, null, "A team has reached the match point threshold with a game that is over."),
  "apex.game.ended": event(GameEndedData, "match.updated", "A game is over and its points count."),
  "apex.game.corrected": event(StandingsData, null, "Officials have replaced the results of a game, or a game does not count."),
  "apex.match.suspended": event(LobbyData, null, "Play was suspended."),
  "apex.match.resumed": event(LobbyData, null, "Play was resumed."),
  "apex.match.ended": event(EndedData, "match.ended", "The series is over and has a winner."),
  "apex.match.cancelled": event(LobbyData, null, "The series was cancelled and has no winner."),
} as const

export type ApexEventName = keyof typeof apexWebhookEvents

export type ApexEventData<Name extends ApexEventName> = DataOf<typeof apexWebhookEvents, Name>

export const apexEventNames = namesOf(apexWebhookEvents)
