/**
 * Events of CS2 matches that customers receive as webhooks. `live/webhookEvents.ts` decides which change of a match is
 * which event. Bodies and headers are the same for all games.
 */
import { MatchId } from "@matchpoint/domain/ids"
import { type DataOf, event, namesOf } from "@matchpoint/game/contract/webhookEventTypes"
import { Schema } from "effect"
import { PlayerId, TeamId } from "../rules/ids.ts"
import { Side } from "../rules/live/rules.ts"
import { MatchStatus, WinTypeName } from "./LiveMatch.ts"

const described = <S extends Schema.Top>(schema: S, description: string) => schema.annotate({ description })
const nullable = Schema.NullOr
const Count = Schema.Natural

export const WebhookTeam = Schema.Struct({ id: TeamId, name: Schema.String }).annotate({
  identifier: "Cs2WebhookTeam",
  description: "A team of the match",
})

export const WebhookPlayer = Schema.Struct({ playerId: PlayerId, nickname: Schema.String, teamId: TeamId }).annotate({
  identifier: "Cs2WebhookPlayer",
  description: "A player of the match",
})

const cursor = {
  matchId: MatchId,
  epoch: described(Count, "With `seq`, the position of the change in the match's frames. Compare it with the cursors of the streams"),
  seq: described(Count, "Number of the change in its epoch. If events arrive out of order, the event with the higher `seq` is newer"),
} as const

const scores = {
  ...cursor,
  team1: WebhookTeam,
  team2: WebhookTeam,
  team1Score: described(Count, "Rounds that team 1 has won on `currentMap`; 0 if there is no map"),
  team2Score: described(Count, "Rounds that team 2 has won on `currentMap`; 0 if there is no map"),
  seriesScore: described(Schema.Struct({ team1: Count, team2: Count }), "Maps won by each team"),
  mapNumber: described(nullable(Count), "Number of `currentMap`, counted from 1"),
  currentMap: described(
    nullable(Schema.String),
    "Name of the map that the event concerns. Between maps, the last map. null if no map has started",
  ),
} as const

const winner = {
  winnerTeamId: described(nullable(TeamId), "null if there is no winner, or if it is unknown"),
  isDraw: Schema.Boolean,
} as const

export const WebhookMapResult = Schema.Struct({
  mapNumber: Count,
  map: Schema.String,
  status: Schema.Literals(["live", "completed"]),
  team1Score: Count,
  team2Score: Count,
  ...winner,
}).annotate({ identifier: "Cs2WebhookMapResult", description: "A map that has started, with its score" })

const maps = described(Schema.Array(WebhookMapResult), "Every map that has started, in order")

export const MatchStartedData = Schema.Struct({
  ...scores,
  bestOf: described(Count, "Maximum number of maps"),
  eventName: described(nullable(Schema.String), "Name of the tournament"),
}).annotate({ identifier: "Cs2MatchStartedData" })

export const MatchLiveStartedData = Schema.Struct(scores).annotate({ identifier: "Cs2MatchLiveStartedData" })

export const ScoreUpdatedData = Schema.Struct(scores).annotate({ identifier: "Cs2ScoreUpdatedData" })

export const MapStartedData = Schema.Struct({
  ...scores,
  ctTeamId: described(TeamId, "Team that starts on the CT side"),
  tTeamId: described(TeamId, "Team that starts on the T side"),
  pickTeamId: described(nullable(TeamId), "Team that picked the map; null if unknown or if no team picked it"),
}).annotate({ identifier: "Cs2MapStartedData" })

export const MapEndedData = Schema.Struct({
  ...scores,
  ...winner,
  reason: described(nullable(Schema.Literals(["score", "surrender", "forfeit"])), "null if no feed reported how the map ended"),
}).annotate({ identifier: "Cs2MapEndedData" })

export const RoundEndedData = Schema.Struct({
  ...scores,
  round: described(Count, "Number of the round on the map, counted from 1"),
  winnerTeamId: TeamId,
  winnerSide: Side,
  winType: WinTypeName,
}).annotate({ identifier: "Cs2RoundEndedData" })

export const PlayerKillData = Schema.Struct({
  ...cursor,
  mapNumber: Count,
  round: Count,
  attacker: described(nullable(WebhookPlayer), "null if the victim was killed by the environment or by a bot"),
  victim: described(nullable(WebhookPlayer), "null if the victim was a bot. Equal to `attacker` if players killed themselves"),
  assister: nullable(WebhookPlayer),
  weapon: Schema.String,
  headshot: Schema.Boolean,
  throughSmoke: described(nullable(Schema.Boolean), "null if the feed does not report it"),
  wallbang: described(nullable(Schema.Boolean), "null if the feed does not report it"),
  flashAssist: described(Schema.Boolean, "true if `assister` blinded the victim"),
  isTeamKill: described(Schema.Boolean, "true if attacker and victim are different players of one team"),
}).annotate({ identifier: "Cs2PlayerKillData" })

export const MatchEndedData = Schema.Struct({
  ...scores,
  ...winner,
  reason: Schema.Literals(["completed", "forfeit"]),
  isProvisional: described(
    Schema.Boolean,
    "true if it is not certain which results belong to which team. `cs2.match.corrected` then follows when an operator decides it",
  ),
  maps,
}).annotate({ identifier: "Cs2MatchEndedData" })

export const MatchCancelledData = Schema.Struct({ ...scores, maps }).annotate({ identifier: "Cs2MatchCancelledData" })

export const MatchCorrectedData = Schema.Struct({
  ...scores,
  ...winner,
  correction: described(
    Schema.Literals(["score", "sides", "teams_swapped", "teams_confirmed"]),
    "`score`: earlier rounds were counted for the wrong team or did not take place. `sides`: the teams of the round were on the other sides. " +
      "`teams_swapped`: the results of the two teams were exchanged. `teams_confirmed`: provisional results are now certain",
  ),
  status: MatchStatus,
  maps,
}).annotate({ identifier: "Cs2MatchCorrectedData" })

/** An event occurs at most once per change of a match. */
export const cs2WebhookEvents = {
  "cs2.match.started": event(MatchStartedData, "match.started", "The first map of the match has started, and the match is live."),
  "cs2.match.live_started": event(
    MatchLiveStartedData,
    null,
    "The first round has gone live: its freeze time is over, or a kill, a bomb event or a round result was reported first.",
  ),
  "cs2.score.updated": event(
    ScoreUpdatedData,
    "match.updated",
    "The score of the current map or of the series has changed, usually because a round has ended.",
  ),
  "cs2.map.started": event(MapStartedData, null, "A map has started, or another map has replaced the current one."),
  "cs2.map.ended": event(MapEndedData, null, "A map has ended."),
  "cs2.round.ended": event(RoundEndedData, "round.ended", "A round has ended."),
  "cs2.player.kill": event(PlayerKillData, "player.kill", "A player or a bot was killed."),
  "cs2.match.ended": event(MatchEndedData, "match.ended", "The match has ended with a result."),
  "cs2.match.cancelled": event(MatchCancelledData, null, "The match was cancelled and has no result."),
  "cs2.match.corrected": event(
    MatchCorrectedData,
    null,
    "Earlier counts of the match were wrong and are now corrected, or uncertain team names are now assigned.",
  ),
} as const

export type Cs2EventName = keyof typeof cs2WebhookEvents

export type Cs2EventData<Name extends Cs2EventName> = DataOf<typeof cs2WebhookEvents, Name>

export const cs2EventNames = namesOf(cs2WebhookEvents)
