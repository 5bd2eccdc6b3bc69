/** Models of matches, results and head-to-heads. They extend the match summary of other responses. */
import { Timestamp } from "@matchpoint/contracts/timestamp"
import { Schema } from "effect"
import { MatchId, TeamId } from "../../../rules/ids.ts"
import { GameScore } from "./gameModels.ts"
import { Link, MatchSummary, PlayerCard, Team } from "./models.ts"

const nullable = Schema.NullOr
const Text = Schema.String
const Count = Schema.Natural

export const MatchResult = Schema.Struct({ ...MatchSummary.fields, maps: Schema.Array(GameScore) }).annotate({ identifier: "MatchResult" })
export type MatchResult = typeof MatchResult.Type

/** In a lineup, the players come first, sorted by name, followed by the coach. */
export const LineupMember = Schema.Struct({ ...PlayerCard.fields, role: Schema.Literals(["player", "coach"]) }).annotate({
  identifier: "LineupMember",
})

/** `team1` and `team2` are in the order of the request, which can differ from the order in the earlier match. */
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

/** `matches` counts finished matches, including draws, in the period of the caller's plan. `recent` lists the newest five. */
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

/** All details of one match, except its players and rounds, which have their own endpoints. */
export const MatchDetail = Schema.Struct({
  entityType: Schema.Literal("cs2_match"),
  ...MatchResult.fields,
  /**
   * Precision of `startsAt`. If the source reports only the day, the precision is `day` and `startsAt` is midnight UTC.
   */
  startsPrecision: Schema.Literals(["minute", "day"]),
  isLan: nullable(Schema.Boolean),
  isForfeit: Schema.Boolean,
  teams: Schema.Struct({ team1: Team, team2: Team }),
  lineups: Schema.Struct({ team1: Schema.Array(LineupMember), team2: Schema.Array(LineupMember) }),
  /** Record of the two teams against each other before this match. */
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
