/**
 * Result of a finished match in the match register: everything that the archive needs after the state is gone. Pure.
 */
import { Schema } from "effect"
import { CorrectedSet, SideSheet, TournamentSheet } from "./feedEvents.ts"
import { MatchFormat, SideIndex } from "./format.ts"
import { Tour } from "./registry.ts"
import { scoreText } from "./scores.ts"
import type { MatchState, Tally } from "./state.ts"

const Count = Schema.Natural

const SideTally = Schema.Struct({
  pointsWon: Count,
  aces: Count,
  doubleFaults: Count,
  servePoints: Count,
  servePointsWon: Count,
  serviceGames: Count,
  serviceGamesWon: Count,
  breakPointsFaced: Count,
  breakPointsSaved: Count,
} satisfies Record<keyof Tally, typeof Count>)

export const TennisResult = Schema.Struct({
  epoch: Count,
  seq: Count,
  tour: Tour,
  tournament: TournamentSheet,
  format: MatchFormat,
  sides: Schema.Tuple([SideSheet, SideSheet]),
  winner: Schema.NullOr(SideIndex),
  endReason: Schema.NullOr(Schema.Literals(["completed", "retired", "walkover", "cancelled"])),
  /** Score from the winner's view; null if there is no winner. */
  score: Schema.NullOr(Schema.String),
  sets: Schema.Array(Schema.Struct({ ...CorrectedSet.fields, winner: Schema.NullOr(SideIndex), endedAt: Schema.NullOr(Schema.Natural) })),
  tallies: Schema.Tuple([SideTally, SideTally]),
  /** False if the tallies lack points. */
  countsEveryPoint: Schema.Boolean,
  wasInterrupted: Schema.Boolean,
  startedAt: Schema.NullOr(Schema.Natural),
  endedAt: Schema.Natural,
})
export type TennisResult = typeof TennisResult.Type

/** The match must be over. */
export const resultOf = (state: MatchState): TennisResult => ({
  epoch: state.epoch,
  seq: state.seq,
  tour: state.tour,
  tournament: state.tournament,
  format: state.rules,
  sides: state.sides,
  winner: state.winner,
  endReason: state.endReason,
  score: state.winner === null ? null : scoreText(state, state.winner),
  sets: state.sets,
  tallies: state.tallies,
  countsEveryPoint: state.countsEveryPoint,
  wasInterrupted: state.interruption !== null,
  startedAt: state.startedAt,
  endedAt: state.endedAt ?? state.observedAt,
})
