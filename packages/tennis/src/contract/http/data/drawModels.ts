/** Models of the draw of a tournament: bracket, groups of a round robin, and qualifying. */
import { Schema } from "effect"
import { MatchEnding, TennisPlayerRef } from "./matchModels.ts"
import { TennisTournament } from "./tournamentModels.ts"

const nullable = Schema.NullOr
const Text = Schema.String

const DrawPlayer = Schema.Struct({
  ...TennisPlayerRef.fields,
  seed: nullable(Text),
  entry: nullable(Text).annotate({
    description: "Entry type: `WC` wild card, `Q` qualifier, `LL` lucky loser, and others; null for direct entries",
  }),
}).annotate({ identifier: "TennisDrawPlayer" })

/** Why a place has no match, or a side has no player. */
const Gap = Schema.Literals(["bye", "bye_or_missing", "missing_match", "not_played_or_missing"])

const DrawSide = Schema.Struct({
  player: nullable(DrawPlayer),
  reason: nullable(Gap).annotate({ description: "Why there is no player; null if there is one" }),
  is_winner: Schema.Boolean,
}).annotate({ identifier: "TennisDrawSide" })

const result = { match_id: nullable(Text), score: nullable(Text), ending: nullable(MatchEnding) } as const

const DrawPlace = Schema.Struct({
  position: Schema.Natural.annotate({
    description: "Position within the round, from 1. The winner continues at position `ceil(position / 2)` of the next round",
  }),
  ...result,
  reason: nullable(Gap).annotate({
    description:
      "Why the place has no match. `bye_or_missing`: the player enters in the next round, and the archive does not state whether a match is missing. `not_played_or_missing`: no later match states a winner; `sides` are the winners of the round before",
  }),
  is_certain: Schema.Boolean.annotate({
    description: "False if matches are missing and this match could be at another place of the round",
  }),
  sides: Schema.Array(DrawSide).annotate({ description: "Two sides, in the order of the places that feed this one" }),
}).annotate({ identifier: "TennisDrawPlace" })

const DrawRound = Schema.Struct({
  round: Text,
  places: Schema.Array(DrawPlace).annotate({ description: "Places by position. Places below a bye are left out" }),
}).annotate({ identifier: "TennisDrawRound" })

/** A match outside the bracket. */
const DrawMatch = Schema.Struct({
  match_id: Text,
  round: Text,
  winner: DrawPlayer,
  loser: DrawPlayer,
  score: Text,
  ending: MatchEnding,
}).annotate({ identifier: "TennisDrawMatch" })

const DrawGroup = Schema.Struct({
  players: Schema.Array(Schema.Struct({ player: DrawPlayer, played: Schema.Natural, won: Schema.Natural, lost: Schema.Natural })).annotate({
    description: "Most wins first, then fewest defeats. The tie-break rules of the tournament are not applied",
  }),
  matches: Schema.Array(DrawMatch),
  is_complete: Schema.Boolean,
}).annotate({ identifier: "TennisDrawGroup" })

export const TennisDraw = Schema.Struct({
  tournament: TennisTournament,
  format: Schema.Literals(["knockout", "round_robin", "round_robin_and_knockout", "none"]),
  reason: nullable(Schema.Literals(["team_event", "no_matches_of_the_main_draw"])).annotate({
    description: "Why there is no draw; null if there is one",
  }),
  completeness: Schema.Literals(["complete", "possible_gaps", "unfinished", "gaps"]).annotate({
    description:
      "`possible_gaps`: some places may be byes or missing matches. `unfinished`: only the last matches are missing, as in a tournament in progress. `gaps`: other matches are missing, or do not fit",
  }),
  champion: nullable(DrawPlayer),
  rounds: Schema.Array(DrawRound).annotate({ description: "Main draw, first round first" }),
  groups: Schema.Array(DrawGroup).annotate({ description: "Groups of a round robin, reconstructed from the matches" }),
  qualifying: Schema.Array(DrawRound).annotate({ description: "Qualifying, first round first. The last round has a place per qualifier" }),
  preliminary: Schema.Array(DrawMatch).annotate({ description: "Matches before the first round of the bracket" }),
  third_place: Schema.Array(DrawMatch),
  challenge_round: nullable(DrawMatch).annotate({
    description: "Champion of the previous year against the winner of the final, until 1921",
  }),
  unplaced: Schema.Array(DrawMatch).annotate({ description: "Matches for which the draw has no place, such as a second final" }),
}).annotate({ identifier: "TennisDraw" })
export type TennisDraw = typeof TennisDraw.Type
