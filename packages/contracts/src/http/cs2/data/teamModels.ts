/** What only the endpoints of teams answer with. The team itself is `models.ts`'. Rates are 0..1 and null where nothing was played. */
import { TeamId } from "@matchpoint/domain/cs2/ids"
import { Schema } from "effect"
import { Timestamp } from "../../../timestamp.ts"
import { availability, MatchSummary, Player, Share, Team } from "./models.ts"

const nullable = Schema.NullOr
const Text = Schema.String
const Count = Schema.Natural
const Rate = nullable(Share)

/** Matches without a winner (drawn, or nobody told) are neither won nor lost. */
export const record = {
  matches: Count,
  matchWins: Count,
  matchLosses: Count,
  matchWinRate: Rate.annotate({ description: "Of the matches that have a winner" }),
} as const

/** Of maps that were played: those of forfeits are left out. */
export const mapRecord = {
  maps: Count,
  mapWins: Count,
  mapLosses: Count,
  mapWinRate: Rate,
  roundsFor: Count,
  roundsAgainst: Count,
  roundWinRate: Rate,
} as const

/** Of those players' lines that have one, weighted by rounds. */
const rating = nullable(Schema.Finite)

export const RosterMember = Schema.Struct({
  ...Player.fields,
  lastPlayedAt: nullable(Timestamp).annotate({ description: "His last match for this team; null when no lineup has him" }),
}).annotate({ identifier: "RosterMember" })

/** The newest results first: `W`, `L`, or `D` where nobody won. */
export const TeamForm = Schema.Struct({
  results: Schema.Array(Schema.Literals(["W", "L", "D"])),
  wins: Count,
  losses: Count,
  winRate: Rate,
  streak: Schema.Int.annotate({ description: "Matches won in a row, up to the newest; negative when lost" }),
}).annotate({ identifier: "TeamForm" })

export const TeamProfile = Schema.Struct({
  entityType: Schema.Literal("cs2_team"),
  ...Team.fields,
  roster: Schema.Struct({
    players: Schema.Array(RosterMember).annotate({
      description: "Active players who stood in for it within 90 days of its newest match, or whom a source names; the newest first",
    }),
    coach: nullable(RosterMember),
    inactive: Schema.Array(RosterMember).annotate({ description: "Whose last team it is, but who does not play for it now" }),
  }),
  form: TeamForm.annotate({ description: "Of the last ten matches within the history of your plan" }),
  stats: Schema.Struct({ ...record, ...mapRecord, rating }).annotate({ description: "All there is within the history of your plan" }),
  recentMatches: Schema.Array(MatchSummary).annotate({ description: "The last ten, newest first" }),
  upcomingMatches: Schema.Array(MatchSummary).annotate({ description: "The next five, soonest first" }),
}).annotate({ identifier: "TeamProfile" })
export type TeamProfile = typeof TeamProfile.Type

export const TrendUnit = Schema.Literals(["month", "quarter"])
export type TrendUnit = typeof TrendUnit.Type

export const TeamTrends = Schema.Struct({
  entityType: Schema.Literal("cs2_team_trends"),
  teamId: TeamId,
  teamName: Text,
  ...availability,
  unit: TrendUnit,
  periods: Schema.Array(
    Schema.Struct({
      period: Text.annotate({ description: "`2026-11`, or `2026-Q4`" }),
      startsAt: Timestamp,
      ...record,
      ...mapRecord,
      rating,
    }),
  ).annotate({ description: "Oldest first; periods without a match are left out" }),
  maps: Schema.Array(
    Schema.Struct({ mapName: Text, ...mapRecord, picked: Count.annotate({ description: "Times it was this team's pick" }) }),
  ).annotate({ description: "Most played first" }),
}).annotate({ identifier: "TeamTrends" })
export type TeamTrends = typeof TeamTrends.Type
