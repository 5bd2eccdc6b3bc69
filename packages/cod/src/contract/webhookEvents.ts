/**
 * Webhook events of matches. The match service decides which change of a match is which event. Bodies and headers are
 * the same for all games.
 */
import { MatchId } from "@matchpoint/domain/ids"
import { changeFields, type DataOf, event, namesOf } from "@matchpoint/game/contract/webhookEventTypes"
import { Schema, Struct } from "effect"
import { RoundReason } from "../rules/live/feedEvents.ts"
import { PlayerId } from "../rules/live/registry.ts"
import { CodEndReason, CodMap, CodStatus, CodTeam, CodTournament, TeamNumber } from "./LiveCodMatch.ts"

const Count = Schema.Natural
const Team = CodTeam.mapFields(Struct.pick(["slug", "name", "score"]))
const nullable = Schema.NullOr

const scores = {
  matchId: MatchId,
  ...changeFields,
  tournament: CodTournament,
  round: nullable(Schema.String),
  status: CodStatus,
  bestOf: Count,
  team1: Team,
  team2: Team,
  maps: Schema.Array(CodMap).annotate({ description: "Maps of the veto in order" }),
} as const

const ScoreData = Schema.Struct(scores).annotate({ identifier: "CodScoreData" })

const MapData = Schema.Struct({ ...scores, map: CodMap }).annotate({ identifier: "CodMapData" })

const RoundData = Schema.Struct({ ...scores, map: CodMap, mapRound: Count, winner: TeamNumber, reason: nullable(RoundReason) }).annotate({
  identifier: "CodRoundEndedData",
})

const Person = Schema.Struct({ playerId: PlayerId, ign: Schema.String, team: TeamNumber })

const KillData = Schema.Struct({
  matchId: MatchId,
  epoch: Count,
  seq: Count,
  mapNumber: Count,
  mapRound: nullable(Count).annotate({ description: "null in hardpoint" }),
  attacker: Person,
  victim: Person,
  weapon: nullable(Schema.String),
  assists: Schema.Array(PlayerId),
  isTrade: Schema.Boolean,
  isFirstBlood: Schema.Boolean,
  streak: Count.annotate({ description: "Kills of the attacker since the last death, this one included" }),
}).annotate({ identifier: "CodKillData" })

const EndedData = Schema.Struct({ ...scores, winner: TeamNumber, endReason: CodEndReason }).annotate({ identifier: "CodMatchEndedData" })

/** An event occurs at most once per change of a match. */
export const codWebhookEvents = {
  "cod.match.started": event(ScoreData, "match.started", "The match has started."),
  "cod.map.started": event(MapData, null, "A map has started."),
  "cod.player.kill": event(KillData, "player.kill", "A player has killed an opponent."),
  "cod.round.ended": event(RoundData, "round.ended", "A round of search and destroy or control has ended."),
  "cod.map.ended": event(MapData, "match.updated", "A map has ended, and the score of the match has changed."),
  "cod.map.replayed": event(MapData, null, "A map is void and is played again."),
  "cod.match.suspended": event(ScoreData, null, "Play was suspended."),
  "cod.match.resumed": event(ScoreData, null, "Play was resumed."),
  "cod.match.corrected": event(ScoreData, null, "An official has corrected the score."),
  "cod.match.ended": event(EndedData, "match.ended", "The match has a winner, by score or by forfeit."),
  "cod.match.cancelled": event(ScoreData, null, "The match was cancelled and has no winner."),
} as const

export type CodEventName = keyof typeof codWebhookEvents

export type CodEventData<Name extends CodEventName> = DataOf<typeof codWebhookEvents, Name>

export const codEventNames = namesOf(codWebhookEvents)
