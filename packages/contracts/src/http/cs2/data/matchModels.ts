/** What one match, results and head-to-heads have beyond the summary that other answers embed. */
import { MatchId, TeamId } from "@matchpoint/domain/cs2/ids"
import { Schema } from "effect"
import { Timestamp } from "../../../timestamp.ts"
import { GameScore } from "./gameModels.ts"
import { Link, MatchSummary, PlayerCard, Team } from "./models.ts"

const nullable = Schema.NullOr
const Text = Schema.String
const Count = Schema.Natural

/** A match with the score of every map. Maps that were not played are not in it. */
export const MatchResult = Schema.Struct({ ...MatchSummary.fields, maps: Schema.Array(GameScore) }).annotate({ identifier: "MatchResult" })
export type MatchResult = typeof MatchResult.Type

/** Whoever stood in for a team, players by name, then the coach. */
export const LineupMember = Schema.Struct({ ...PlayerCard.fields, role: Schema.Literals(["player", "coach"]) }).annotate({
  identifier: "LineupMember",
})

/** An earlier meeting; team1 and team2 are those of the question, whatever their order was. */
export const Meeting = Schema.Struct({
  matchId: MatchId,
  startsAt: Timestamp,
  eventName: nullable(Text),
  bestOf: nullable(Count),
  team1Score: nullable(Count),
  team2Score: nullable(Count),
  winnerTeamId: nullable(TeamId),
}).annotate({ identifier: "Meeting" })

export const MapBalance = Schema.Struct({ mapName: Text, played: Count, team1Wins: Count, team2Wins: Count }).annotate({
  identifier: "MapBalance",
})

/** `matches` counts all that are over, drawn ones too, within the history of the caller's plan; `recent` shows the newest five. */
export const HeadToHead = Schema.Struct({
  matches: Count,
  team1Wins: Count,
  team2Wins: Count,
  mapsPlayed: Count,
  team1MapWins: Count,
  team2MapWins: Count,
  maps: Schema.Array(MapBalance),
  recent: Schema.Array(Meeting),
}).annotate({ identifier: "HeadToHead" })
export type HeadToHead = typeof HeadToHead.Type

/** One match, whole. Players and rounds are the business of its sub-resources. */
export const MatchDetail = Schema.Struct({
  entityType: Schema.Literal("cs2_match"),
  ...MatchResult.fields,
  /** `day`: the source tells no time; `startsAt` is midnight UTC. */
  startsPrecision: Schema.Literals(["minute", "day"]),
  isLan: nullable(Schema.Boolean),
  isForfeit: Schema.Boolean,
  teams: Schema.Struct({ team1: Team, team2: Team }),
  lineups: Schema.Struct({ team1: Schema.Array(LineupMember), team2: Schema.Array(LineupMember) }),
  /** As it stood before this match. */
  headToHead: HeadToHead,
  demoLinks: Schema.Array(Link),
  availableSubresources: Schema.Array(Text),
  unavailableSubresources: Schema.Array(Text),
}).annotate({ identifier: "MatchDetail" })
export type MatchDetail = typeof MatchDetail.Type

export const Demo = Schema.Struct({ entityType: Schema.Literal("cs2_demo"), matchId: MatchId, ...Link.fields }).annotate({
  identifier: "Demo",
})
export type Demo = typeof Demo.Type

export const TeamsHeadToHead = Schema.Struct({
  entityType: Schema.Literal("cs2_head_to_head"),
  team1: Team,
  team2: Team,
  ...HeadToHead.fields,
}).annotate({ identifier: "TeamsHeadToHead" })
export type TeamsHeadToHead = typeof TeamsHeadToHead.Type
