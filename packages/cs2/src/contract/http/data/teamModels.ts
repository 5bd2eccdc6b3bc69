/** Models of the team endpoints. Rates are fractions from 0 to 1, and null if nothing was played that counts. */
import { Timestamp } from "@matchpoint/contracts/timestamp"
import { Schema } from "effect"
import { TeamId } from "../../../rules/ids.ts"
import { availability, MatchSummary, Player, Share, Team } from "./models.ts"

const nullable = Schema.NullOr
const Text = Schema.String
const Count = Schema.Natural
const Rate = nullable(Share)

/** A match without a known winner, such as a draw, counts as neither won nor lost. */
export const record = {
  matches: Count,
  matchWins: Count,
  matchLosses: Count,
  matchWinRate: Rate.annotate({ description: "Share of matches won, out of the matches with a winner: 0..1" }),
} as const

/** Maps of matches decided by forfeit do not count. */
export const mapRecord = {
  maps: Count,
  mapWins: Count,
  mapLosses: Count,
  mapWinRate: Rate,
  roundsFor: Count,
  roundsAgainst: Count,
  roundWinRate: Rate,
} as const

/** Average rating over the player statistics that include a rating, weighted by the number of rounds. */
const rating = nullable(Schema.Finite)

export const RosterMember = Schema.Struct({
  ...Player.fields,
  lastPlayedAt: nullable(Timestamp).annotate({
    description: "Last match of the player for this team; null if no line-up includes the player",
  }),
}).annotate({ identifier: "RosterMember" })

/** Results of a team, newest first: `W`, `L`, or `D` if there was no winner. */
export const TeamForm = Schema.Struct({
  results: Schema.Array(Schema.Literals(["W", "L", "D"])),
  wins: Count,
  losses: Count,
  winRate: Rate,
  streak: Schema.Int.annotate({ description: "Current streak: consecutive wins up to the newest match; negative for losses" }),
}).annotate({ identifier: "TeamForm" })

export const TeamProfile = Schema.Struct({
  entityType: Schema.Literal("cs2_team"),
  ...Team.fields,
  roster: Schema.Struct({
    players: Schema.Array(RosterMember).annotate({
      description: "Active players who played for the team within 90 days of its newest match, or whom a source lists. Newest first",
    }),
    coach: nullable(RosterMember),
    inactive: Schema.Array(RosterMember).annotate({ description: "Players whose last team this is, but who no longer play for it" }),
  }),
  form: TeamForm.annotate({ description: "Results of the last ten matches within your plan's history" }),
  stats: Schema.Struct({ ...record, ...mapRecord, rating }).annotate({ description: "All matches within your plan's history" }),
  recentMatches: Schema.Array(MatchSummary).annotate({ description: "The last ten matches, newest first" }),
  upcomingMatches: Schema.Array(MatchSummary).annotate({ description: "The next five matches, earliest start first" }),
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
      period: Text.annotate({ description: "Month or quarter: `2026-11` or `2026-Q4`" }),
      startsAt: Timestamp,
      ...record,
      ...mapRecord,
      rating,
    }),
  ).annotate({ description: "Oldest first; periods without a match are left out" }),
  maps: Schema.Array(
    Schema.Struct({ mapName: Text, ...mapRecord, picked: Count.annotate({ description: "Number of times the team picked this map" }) }),
  ).annotate({ description: "Most played first" }),
}).annotate({ identifier: "TeamTrends" })
export type TeamTrends = typeof TeamTrends.Type
