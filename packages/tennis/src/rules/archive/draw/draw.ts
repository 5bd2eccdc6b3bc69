/** Draw of a tournament from its matches: main bracket, groups of a round robin, and brackets of the qualifying. */
import { type Bracket, type BracketPlace, buildBracket, type DrawMatch } from "./bracket.ts"
import { buildGroups, type Group } from "./groups.ts"
import { isTeamEvent } from "./teamEvents.ts"

export interface RoundMatch extends DrawMatch {
  readonly round: string
}

/** Tournament as its source states it. */
export interface DrawTournament {
  readonly name: string | null
  readonly level: string | null
  readonly drawSize: number | null
}

export interface DrawRound<M extends RoundMatch> {
  readonly round: string
  readonly places: ReadonlyArray<BracketPlace<M>>
}

/** `none` if the archive has no match of the main draw, or if the tournament is a team competition. */
export type DrawFormat = "knockout" | "round_robin" | "round_robin_and_knockout" | "none"

/**
 * `complete`: no match of the main draw is missing. `possible_gaps`: players enter after the first round, and the
 * archive does not state whether they had byes. `unfinished`: the last matches are missing, because the tournament is in
 * progress or the archive lacks them. `gaps`: other matches are missing, or do not fit into the draw.
 */
export type Completeness = "complete" | "possible_gaps" | "unfinished" | "gaps"

export interface Draw<M extends RoundMatch> {
  readonly format: DrawFormat
  /** Why there is no draw. Null if there is one. */
  readonly reason: "team_event" | "no_matches_of_the_main_draw" | null
  readonly completeness: Completeness
  readonly champion: M["winner"] | null
  /** Main draw, first round first. */
  readonly rounds: ReadonlyArray<DrawRound<M>>
  readonly groups: ReadonlyArray<Group<M>>
  /** First round first. The last round has one place per qualifier. */
  readonly qualifying: ReadonlyArray<DrawRound<M>>
  /** Rounds before the first round of the bracket. Their matches are not linked to it. */
  readonly preliminary: ReadonlyArray<M>
  readonly thirdPlace: ReadonlyArray<M>
  /** The champion of the previous year against the winner of the final. Held until 1921. */
  readonly challengeRound: M | null
  /** Matches for which the draw has no place. */
  readonly unplaced: ReadonlyArray<M>
}

const knockoutRounds = ["R256", "R128", "R64", "R32", "R16", "QF", "SF", "F"]
const qualifyingRounds = ["Q1", "Q2", "Q3", "Q4", "Q5"]
const preliminaryRounds: ReadonlySet<string> = new Set(["PR", "ER"])

/** Lower positions first. Unknown rounds come last. */
export const roundOrder = ["Q1", "Q2", "Q3", "Q4", "Q5", "PR", "ER", "RR", ...knockoutRounds.slice(0, -1), "BR", "F", "CR"]

export const buildDraw = <M extends RoundMatch>(tournament: DrawTournament, matches: ReadonlyArray<M>): Draw<M> => {
  const inRound = (round: string) => matches.filter((match) => match.round === round)
  const main = roundsOf(knockoutRounds, inRound, "F")
  const qualifying = roundsOf(qualifyingRounds, inRound)
  const roundRobin = inRound("RR")
  const qualifyingDraw = bracketOf(qualifying, unbeaten(qualifying.flatMap((round) => round.matches)), null)
  const rest = {
    qualifying: qualifyingDraw.rounds,
    preliminary: matches.filter(({ round }) => preliminaryRounds.has(round)),
    thirdPlace: inRound("BR"),
  }
  const none = { ...rest, format: "none", completeness: "gaps", champion: null, rounds: [], groups: [], challengeRound: null } as const
  if (isTeamEvent(tournament, matches)) return { ...none, reason: "team_event", unplaced: [] }
  if (main.length === 0 && roundRobin.length === 0) {
    return { ...none, reason: "no_matches_of_the_main_draw", unplaced: qualifyingDraw.unplaced }
  }
  const bracket = bracketOf(main, [null], tournament.drawSize)
  const groups = buildGroups(roundRobin)
  const challenges = inRound("CR")
  const final = bracket.rounds.at(-1)?.places[0]?.match ?? null
  const unplaced = [...bracket.unplaced, ...qualifyingDraw.unplaced, ...challenges.slice(1)]
  const gaps = new Set(bracket.rounds.flatMap(({ places }) => places.map(({ gap }) => gap)))
  const hasGaps = gaps.has("missing_match") || unplaced.length > 0 || groups.some((group) => !group.isComplete)
  return {
    ...rest,
    format: main.length === 0 ? "round_robin" : groups.length === 0 ? "knockout" : "round_robin_and_knockout",
    reason: null,
    completeness: hasGaps
      ? "gaps"
      : gaps.has("not_played_or_missing")
        ? "unfinished"
        : gaps.has("bye_or_missing")
          ? "possible_gaps"
          : "complete",
    champion: challenges[0]?.winner ?? final?.winner ?? null,
    rounds: bracket.rounds,
    groups,
    challengeRound: challenges[0] ?? null,
    unplaced,
  }
}

interface NamedRound<M> {
  readonly round: string
  readonly matches: ReadonlyArray<M>
}

/** Rounds from the first to the last with matches, or to `last`, so that holes are rounds too. */
const roundsOf = <M>(names: ReadonlyArray<string>, inRound: (round: string) => ReadonlyArray<M>, last?: string) => {
  const rounds = names.map((round): NamedRound<M> => ({ round, matches: inRound(round) }))
  const first = rounds.findIndex(({ matches }) => matches.length > 0)
  const end = rounds.findLastIndex(({ matches, round }) => matches.length > 0 || round === last)
  return first === -1 ? [] : rounds.slice(first, end + 1)
}

/** Players that lost no match, in the order of their first wins. Each of them wins a section of the qualifying. */
const unbeaten = <M extends RoundMatch>(matches: ReadonlyArray<M>): ReadonlyArray<M["winner"]> => {
  const losers = new Set(matches.map(({ loser }) => loser.id))
  return [...new Map(matches.map(({ winner }) => [winner.id, winner])).values()].filter(({ id }) => !losers.has(id))
}

const bracketOf = <M extends RoundMatch>(
  rounds: ReadonlyArray<NamedRound<M>>,
  winners: ReadonlyArray<M["winner"] | null>,
  drawSize: number | null,
) => {
  const bracket: Bracket<M> = buildBracket(
    rounds.map(({ matches }) => matches),
    winners,
    drawSize,
  )
  return {
    rounds: rounds.map(({ round }, index): DrawRound<M> => ({ round, places: bracket.rounds[index] ?? [] })),
    unplaced: bracket.unplaced,
  }
}
