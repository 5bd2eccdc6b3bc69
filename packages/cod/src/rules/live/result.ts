/**
 * Result of a finished match in the match register: everything that the archive needs after the state is gone. Pure.
 */
import { Schema } from "effect"
import { MapSheet, TeamSheet, TournamentSheet } from "./feedEvents.ts"
import { BestOf, SideIndex } from "./format.ts"
import { PackedLine } from "./lines.ts"
import type { MatchState } from "./state.ts"

const Count = Schema.Natural
const Time = Schema.NullOr(Schema.Natural)
const Pair = Schema.Tuple([Count, Count])

export const CodResult = Schema.Struct({
  epoch: Count,
  seq: Count,
  tournament: TournamentSheet,
  bestOf: BestOf,
  teams: Schema.Tuple([TeamSheet, TeamSheet]),
  mapsWon: Pair,
  maps: Schema.Array(
    Schema.Struct({
      ...MapSheet.fields,
      status: Schema.Literals(["upcoming", "live", "completed"]),
      scores: Pair,
      winner: Schema.NullOr(SideIndex),
      startedAt: Time,
      endedAt: Time,
      pausedMs: Count,
      lines: Schema.NullOr(Schema.Tuple([Schema.Array(PackedLine), Schema.Array(PackedLine)])),
    }),
  ),
  winner: Schema.NullOr(SideIndex),
  endReason: Schema.NullOr(Schema.Literals(["completed", "forfeit", "cancelled"])),
  /** False if the statistics lack facts. */
  countsEverything: Schema.Boolean,
  startedAt: Time,
  endedAt: Schema.Natural,
})
export type CodResult = typeof CodResult.Type

/** The match must be over. */
export const resultOf = (state: MatchState): CodResult => ({
  epoch: state.epoch,
  seq: state.seq,
  tournament: state.tournament,
  bestOf: state.bestOf,
  teams: [sheetOf(state, 0), sheetOf(state, 1)],
  mapsWon: state.mapsWon,
  maps: state.maps,
  winner: state.winner,
  endReason: state.endReason,
  countsEverything: state.countsEverything,
  startedAt: state.startedAt,
  endedAt: state.endedAt ?? state.observedAt,
})

const sheetOf = ({ teams }: MatchState, side: SideIndex): TeamSheet => {
  const { name, players, slug } = teams[side]
  return { slug, name, players }
}
