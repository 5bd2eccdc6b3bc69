/**
 * What a Game State Integration post shows about the series and its rules. It matters if posts start in the middle of a
 * match: earlier maps and the length of the map are then not known from other posts.
 */
import type { MatchRules, TeamIndex } from "../../../rules/live/rules.ts"
import { mapOutcome, otherTeam, seriesOutcome } from "../../../rules/live/rules.ts"
import { currentMap, type MatchState } from "../../../rules/live/state.ts"
import { teamNamed } from "../../../rules/live/teamNames.ts"
import { usualRounds } from "../regulation.ts"
import type { GamePost } from "./GamePost.ts"
import type { MatchPost } from "./payload.ts"

type Score = readonly [number, number]

/**
 * Maps won by each team. Undefined if the post does not show it, if its team names are unknown, or if the series would
 * be over: the post may then belong to another match.
 */
export const mapsWonIn = ({ mapsWon, names }: MatchPost, state: MatchState): Score | undefined => {
  const byCt = names.ct === undefined ? undefined : teamNamed(state, names.ct)
  const byT = names.t === undefined ? undefined : teamNamed(state, names.t)
  const ctTeam: TeamIndex | undefined = byCt ?? (byT === undefined ? undefined : otherTeam(byT))
  if (mapsWon === undefined || ctTeam === undefined) return undefined
  const won: Score = ctTeam === 0 ? [mapsWon.ct, mapsWon.t] : [mapsWon.t, mapsWon.ct]
  const played = won[0] + won[1]
  return played >= state.bestOf || seriesOutcome(won, played, state.bestOf) !== undefined ? undefined : won
}

/** Maps won that the match state lacks. Undefined if the post shows no more than the state. */
export const missingWins = (post: MatchPost, state: MatchState): Score | undefined => {
  const won = mapsWonIn(post, state)
  if (won === undefined) return undefined
  const missing: Score = [won[0] - state.seriesScore[0], won[1] - state.seriesScore[1]]
  return Math.min(...missing) < 0 || Math.max(...missing) === 0 ? undefined : missing
}

/** Only the winner is known. */
const UNKNOWN_MAP = "unknown"

/**
 * Adds the maps before the shown one. Only their winners are known, in any order. If the match state has a map in play,
 * that map is the missing one.
 */
export const reachSeries = (game: GamePost): void => {
  const missing = missingWins(game.post, game.state)
  if (missing === undefined) return
  const played = currentMap(game.state)
  if (played?.status === "live") {
    if (missing[0] + missing[1] === 1) endMap(game, played.number, missing[0] === 1 ? 0 : 1)
    return
  }
  for (const team of [0, 1] as const) {
    for (let count = 0; count < missing[team] && game.state.maps.length < game.state.bestOf; count++) {
      const mapNumber = game.state.maps.length + 1
      const ctTeamId = game.state.teams[0].id
      game.addFact(`m${mapNumber}:map`, { type: "MapStarted", payload: { mapNumber, mapName: UNKNOWN_MAP, ctTeamId } })
      endMap(game, mapNumber, team)
    }
  }
}

const endMap = (game: GamePost, mapNumber: number, winner: TeamIndex): void => {
  const winnerTeamId = game.state.teams[winner].id
  game.addFact(`m${mapNumber}:won`, { type: "MapEnded", payload: { mapNumber, winnerTeamId, reason: "score" } })
}

/**
 * The rules by which the map can be in play: the known ones, unless they have decided the map before the round in play,
 * or the post counts more rounds as regulation.
 */
export const rulesShown = ({ completed, roundPhase, score, wins }: MatchPost, known: MatchRules): MatchRules => {
  const isRegulation = completed > 0 && Object.keys(wins).length === completed
  // Once a round is over, the map may be over too. Before that round, it was not.
  const last = roundPhase === "over" ? 1 : 0
  const before: Score = score.ct > score.t ? [score.ct - last, score.t] : [score.ct, score.t - last]
  const isPossible = (rules: MatchRules) =>
    (!isRegulation || completed <= rules.maxRounds) && (Math.min(...before) < 0 || mapOutcome(before, rules) === undefined)
  const candidates = usualRounds.filter((rounds) => rounds > known.maxRounds).map((maxRounds) => ({ ...known, maxRounds }))
  return [known, ...candidates].find(isPossible) ?? known
}
