/** A tournament is held once, in one year; a competition is the series of them. `drawModels.ts` has the draws. */
import { wholeNumber } from "@matchpoint/contracts/http/envelope"
import { DayParameter } from "@matchpoint/contracts/http/instants"
import { cursorQuery } from "@matchpoint/contracts/http/listing"
import { StorableText } from "@matchpoint/domain/storableText"
import { Schema } from "effect"
import { tiers } from "../../../rules/archive/tiers.ts"
import { LiveTennisRow } from "../../tennisLive.ts"
import { TennisMatch, TennisPlayerRef } from "./matchModels.ts"
import { LevelParameter, SurfaceParameter, TourName, TourParameter } from "./references.ts"

const nullable = Schema.NullOr
const Text = Schema.String

export const Tier = Schema.Literals(tiers).annotate({
  description:
    "Group of levels. `masters`: Masters, Premier Mandatory and Tier I. `finals`: season finals. `itf`: Satellites, Futures and ITF circuits. `tour`: all other tournaments of the main tours",
})

/** Archives state the country for some tournaments only, and never the city. */
const TournamentLocation = Schema.Struct({
  country: nullable(Text).annotate({ description: "Country code of the IOC, if the source's code of the tournament contains it" }),
  city: Schema.Null,
  reason: Schema.Literals(["city_not_in_source", "location_not_in_source"]).annotate({ description: "Why fields are null" }),
}).annotate({ identifier: "TennisTournamentLocation" })

const outcome = {
  champion: nullable(TennisPlayerRef),
  finalist: nullable(TennisPlayerRef),
  final_score: nullable(Text),
  champion_reason: nullable(Schema.Literals(["team_event", "no_final"])).annotate({
    description: "Why there is no champion. `no_final`: the archive has no match of the round `F`",
  }),
} as const

export const TennisTournament = Schema.Struct({
  id: Text.annotate({ description: "Id of the tournament in this year: `atp_2023-580`" }),
  competition_id: Text.annotate({ description: "Id of the competition: `atp_580`" }),
  tour: TourName,
  circuits: Schema.Array(Text).annotate({ description: "Circuits of its matches: `tour`, `qual_chall`, `qual_itf`, `futures`, `amateur`" }),
  year: Schema.Natural.annotate({ description: "Season. A tournament of January can start in December of the year before" }),
  name: nullable(Text),
  tier: Tier,
  level: nullable(Text),
  surface: nullable(Text),
  draw_size: nullable(Schema.Natural).annotate({ description: "As its source states it, often rounded up to a power of 2" }),
  starts_on: Text.annotate({ description: "First date of its matches, `YYYY-MM-DD`" }),
  ends_on: nullable(Text).annotate({ description: "Day of the last match; null if the day of the final is not verified" }),
  ends_on_reason: nullable(Schema.Literal("day_not_verified")),
  location: TournamentLocation,
  matches: Schema.Natural,
  ...outcome,
}).annotate({ identifier: "TennisTournament" })
export type TennisTournament = typeof TennisTournament.Type

export const TennisCompetition = Schema.Struct({
  id: Text,
  tour: TourName,
  name: nullable(Text).annotate({ description: "Name of the newest tournament, like tier, level and surface" }),
  tier: Tier,
  level: nullable(Text),
  surface: nullable(Text),
  tournaments: Schema.Natural.annotate({ description: "Number of tournaments in the archive" }),
  first_year: Schema.Natural,
  last_year: Schema.Natural,
  newest_id: Text.annotate({ description: "Id of the newest tournament" }),
  most_titles: nullable(Schema.Struct({ player: TennisPlayerRef, titles: Schema.Natural })).annotate({
    description: "The player with most titles, or of several the one that won the newest of them",
  }),
}).annotate({ identifier: "TennisCompetition" })
export type TennisCompetition = typeof TennisCompetition.Type

/** A tournament in the list of its competition. */
export const TennisEdition = Schema.Struct({
  id: Text,
  year: Schema.Natural,
  name: nullable(Text),
  surface: nullable(Text),
  starts_on: Text,
  ...outcome,
}).annotate({ identifier: "TennisEdition" })

export const TournamentProfile = Schema.Struct({
  ...TennisTournament.fields,
  competition: TennisCompetition,
  editions: Schema.Array(TennisEdition).annotate({
    description:
      "Tournaments of the competition within your plan's history, newest first, at most 200; empty if the path names one tournament",
  }),
}).annotate({ identifier: "TennisTournamentProfile" })
export type TournamentProfile = typeof TournamentProfile.Type

/** No source of the archive states a time. */
export const ScheduledMatch = Schema.Struct({
  ...TennisMatch.fields,
  start_time: nullable(Text).annotate({ description: "ISO 8601; null if `start_time_known` is false" }),
  start_time_known: Schema.Boolean,
}).annotate({ identifier: "TennisScheduledMatch" })
export type ScheduledMatch = typeof ScheduledMatch.Type

const CalendarPeriod = Schema.Struct({
  period: Text.annotate({ description: "Month, `2024-01`, or the Monday of a week, `2024-01-01`" }),
  tournaments: Schema.Array(TennisTournament),
}).annotate({ identifier: "TennisCalendarPeriod" })

export const TennisCalendar = Schema.Struct({
  year: Schema.Natural,
  by: Schema.Literals(["month", "week"]),
  periods: Schema.Array(CalendarPeriod).annotate({ description: "Periods with tournaments of this page, in order" }),
}).annotate({ identifier: "TennisCalendar" })

export const DaySchedule = Schema.Struct({
  date: Text,
  tournaments: Schema.Array(TennisTournament).annotate({
    description: "Tournaments that start on this day and whose matches have no days of their own, at most 100, by id",
  }),
  matches: Schema.Array(ScheduledMatch),
  live: Schema.Array(LiveTennisRow).annotate({
    description:
      "Live matches of this day that are not in the archive yet, at most 100: those that started on it, and today also all that are live or upcoming. Every page has them",
  }),
}).annotate({ identifier: "TennisDaySchedule" })

const SearchText = StorableText.check(Schema.isPattern(/^\P{Cc}{0,100}$/u)).annotate({
  description: "Part of a name, in any case. Fewer than three characters match the beginning of words",
})
const tour = Schema.optionalKey(TourParameter)
const YearNumber = wholeNumber({ minimum: 1, maximum: 9_999 })
const year = Schema.optionalKey(YearNumber.annotate({ description: "Only tournaments of this season" }))

const tournamentFilters = {
  tour,
  level: Schema.optionalKey(LevelParameter),
  tier: Schema.optionalKey(Tier),
  surface: Schema.optionalKey(SurfaceParameter),
} as const

export const tournamentListQuery = {
  ...cursorQuery,
  ...tournamentFilters,
  year,
  country: Schema.optionalKey(
    Schema.String.check(Schema.isPattern(/^[A-Za-z]{3}$/u)).annotate({ description: "Country code of the IOC: `SUI`, see `location`" }),
  ),
  q: Schema.optionalKey(SearchText),
} as const

export const calendarQuery = {
  ...cursorQuery,
  ...tournamentFilters,
  year: Schema.optionalKey(YearNumber.annotate({ description: "Season. Default: the current year" })),
  by: Schema.optionalKey(Schema.Literals(["month", "week"]).annotate({ description: "Default `month`" })),
} as const

export const competitionListQuery = {
  ...cursorQuery,
  tour,
  tier: Schema.optionalKey(Tier),
  q: Schema.optionalKey(SearchText),
} as const

export const scheduleQuery = {
  ...cursorQuery,
  tour,
  date: Schema.optionalKey(DayParameter.annotate({ description: "Day: `2024-07-14`. Default: today in UTC" })),
} as const

export const EditionYear = wholeNumber({ minimum: 1, maximum: 9_999 }).annotate({ description: "Year of the tournament: `2023`" })

export const DrawMeta = Schema.Struct({
  other_tournaments: Schema.Array(Text).annotate({
    description: "Ids of further tournaments of the competition in this year. The draw is that of the latest one",
  }),
})
