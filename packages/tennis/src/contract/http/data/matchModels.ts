/** Models of an archived match. Match lists return {@link TennisMatch}. */
import { CursorPaging } from "@matchpoint/contracts/http/listing"
import { Schema } from "effect"
import { TourName } from "./references.ts"

const nullable = Schema.NullOr
const Text = Schema.String

/** Player as part of another resource. */
export const TennisPlayerRef = Schema.Struct({
  id: Text,
  name: nullable(Text),
  country: nullable(Text).annotate({ description: "Country code of the IOC: `SUI`" }),
}).annotate({ identifier: "TennisPlayerRef" })
export type TennisPlayerRef = typeof TennisPlayerRef.Type

/** Player with what the archive states about the time of the match. */
export const TennisMatchPlayer = Schema.Struct({
  ...TennisPlayerRef.fields,
  seed: nullable(Text),
  entry: nullable(Text).annotate({
    description: "Entry type: `WC` wild card, `Q` qualifier, `LL` lucky loser, and others; null for direct entries",
  }),
  age: nullable(Schema.Finite).annotate({ description: "Years, with one decimal" }),
  rank: nullable(Schema.Natural),
  rank_points: nullable(Schema.Natural),
}).annotate({ identifier: "TennisMatchPlayer" })

/** A match tie-break is a set with its points as games. `tiebreak_points` are those of the tie-break's loser. */
export const TennisSet = Schema.Struct({
  winner_games: Schema.Natural,
  loser_games: Schema.Natural,
  tiebreak_points: nullable(Schema.Natural),
}).annotate({ identifier: "TennisSet", description: "From the view of the winner of the match" })

export const MatchEnding = Schema.Literals(["completed", "retired", "walkover", "defaulted", "unfinished", "unknown"])

export const TennisScore = Schema.Struct({
  text: Text.annotate({ description: "The score as its source wrote it: `6-4 3-6 7-6(5)`" }),
  ending: MatchEnding,
  sets: Schema.Array(TennisSet).annotate({ description: "Empty if the text cannot be read, see `problem`" }),
  problem: nullable(Text).annotate({ description: "Why the text cannot be read as sets, such as `missing_games`; null if it can" }),
}).annotate({ identifier: "TennisScore" })

export const TennisTournamentRef = Schema.Struct({
  id: Text.annotate({ description: "Id of the tournament in this year: `atp_2023-580`" }),
  competition_id: Text.annotate({ description: "Id of the competition that is held every year: `atp_580`" }),
  name: nullable(Text),
  level: nullable(Text),
  surface: nullable(Text),
}).annotate({ identifier: "TennisTournamentRef" })

export const TennisMatch = Schema.Struct({
  id: Text,
  tour: TourName,
  circuit: Text.annotate({ description: "`tour`, `qual_chall`, `qual_itf`, `futures`, `amateur`" }),
  date: Text.annotate({ description: "Day of the match, or the first day of the tournament, see `date_is_tournament_start`" }),
  date_is_tournament_start: Schema.Boolean.annotate({ description: "True unless a source gave the day of the match, see `date_source`" }),
  date_source: nullable(Text).annotate({ description: "Source of a verified day; null if the day is not verified" }),
  tournament: TennisTournamentRef,
  round: Text,
  best_of: nullable(Schema.Natural),
  minutes: nullable(Schema.Natural),
  status: MatchEnding,
  is_final: Schema.Boolean,
  winner: TennisMatchPlayer,
  loser: TennisMatchPlayer,
  score: TennisScore,
}).annotate({ identifier: "TennisMatch" })
export type TennisMatch = typeof TennisMatch.Type

/** `meta` of the results of a day. */
export const DayPaging = Schema.Struct({
  ...CursorPaging.fields,
  matches_without_day: Schema.Natural.annotate({
    description: "Finished matches of tournaments that started on this day. They are not listed, because their own days are unknown",
  }),
}).annotate({ identifier: "TennisDayPaging" })
