import type { DrawRow } from "../../archive/tournaments/TournamentMatches.ts"
import type { TennisDraw } from "../../contract/http/data/drawModels.ts"
import type { TennisTournament } from "../../contract/http/data/tournamentModels.ts"
import type { BracketPlace } from "../../rules/archive/draw/bracket.ts"
import { buildDraw, type DrawRound } from "../../rules/archive/draw/draw.ts"

type Round = TennisDraw["rounds"][number]
type Place = Round["places"][number]
type OutsideMatch = TennisDraw["unplaced"][number]

/** `rows` are all matches of the tournament. */
export const drawAnswer = (tournament: TennisTournament, rows: ReadonlyArray<DrawRow>): TennisDraw => {
  const { draw_size: drawSize, level, name } = tournament
  const draw = buildDraw({ name, level, drawSize }, rows)
  return {
    tournament,
    format: draw.format,
    reason: draw.reason,
    completeness: draw.completeness,
    champion: draw.champion,
    rounds: draw.rounds.map(roundOf),
    groups: draw.groups.map(({ isComplete, matches, players }) => ({
      players,
      matches: matches.map(outsideOf),
      is_complete: isComplete,
    })),
    qualifying: draw.qualifying.map(roundOf),
    preliminary: draw.preliminary.map(outsideOf),
    third_place: draw.thirdPlace.map(outsideOf),
    challenge_round: draw.challengeRound === null ? null : outsideOf(draw.challengeRound),
    unplaced: draw.unplaced.map(outsideOf),
  }
}

const roundOf = ({ places, round }: DrawRound<DrawRow>): Round => ({ round, places: places.map(placeOf) })

const placeOf = ({ gap, isCertain, match, players, position, winner }: BracketPlace<DrawRow>): Place => ({
  position,
  match_id: match?.id ?? null,
  score: match?.score ?? null,
  ending: match?.ending ?? null,
  reason: gap,
  is_certain: isCertain,
  sides: players.map((player) => ({
    player,
    reason: player === null ? gap : null,
    is_winner: player !== null && player === winner,
  })),
})

const outsideOf = ({ ending, id, loser, round, score, winner }: DrawRow): OutsideMatch => ({
  match_id: id,
  round,
  winner,
  loser,
  score,
  ending,
})
