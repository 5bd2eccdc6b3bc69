/**
 * Progress of maps and rounds from Game State Integration posts. A post contains the number of completed rounds and how
 * they ended, but not what happened since the last post. The missing facts are derived round by round.
 */
import type { WinType } from "../../../rules/live/feedEvents.ts"
import { type MatchRules, onStartingSides, otherTeam, type Side } from "../../../rules/live/rules.ts"
import { currentMap, type MatchState } from "../../../rules/live/state.ts"
import { correctedRounds, roundsWithoutHalftime } from "../regulation.ts"
import { otherMapNamed, reportedMapNamed } from "../shownMap.ts"
import { mapNameOf } from "../text.ts"
import type { GamePost } from "./GamePost.ts"
import type { MatchPost } from "./payload.ts"
import { missingWins, reachSeries, rulesShown } from "./series.ts"

/**
 * Name of the shown map if the match cannot have reached it, otherwise `null`: another map is being played and the
 * shown one cannot be the next. With a server log, posts never change the map, because they may come from another
 * server. `at` is the arrival time of the post.
 */
export const strayMap = (state: MatchState, post: MatchPost, withLog: boolean, at: number): string | null => {
  const map = currentMap(state)
  const name = mapNameOf(post.mapName)
  if (map?.status !== "live" || map.name === name) return null
  return withLog || laterMap(state, post, at) === undefined ? name : null
}

/**
 * Number of the shown map if it comes after the current one: a backup feed has reported so, the post counts more maps
 * as won than are known, the shown map is at its start, or the current map is over.
 */
const laterMap = (state: MatchState, post: MatchPost, at: number): number | undefined => {
  const { completed, mapName, phase } = post
  const name = mapNameOf(mapName)
  if (phase === "gameover") return undefined
  const map = currentMap(state)
  if (map !== undefined && map.name !== name && map.number < state.bestOf && missingWins(post, state) !== undefined) return map.number + 1
  const follows = map?.status === "completed" || completed === 0
  const other = follows ? otherMapNamed(state, name, at) : undefined
  return other?._tag === "Later" ? other.mapNumber : reportedMapNamed(state, name)
}

/** Starts or restarts the shown map. Returns false if no map is being played. */
export const reachMap = (game: GamePost): boolean => {
  const { completed, mapName, phase, roundPhase, score } = game.post
  const map = currentMap(game.state)
  const name = mapNameOf(mapName)
  game.noteUnknownNames()
  const later = laterMap(game.state, game.post, game.now)
  if (map?.status === "live" && later === undefined) {
    const begun = game.state.round !== null && (game.state.round.number > 1 || game.state.round.phase !== "freezetime")
    // With fewer completed rounds than the match state, the map is restarted only if this sender itself reported more
    // before. Otherwise, its post may simply be behind another feed.
    const takenBack = completed < (game.memory.completed ?? 0) && completed < map.rounds.length
    const again = takenBack || (completed === 0 && roundPhase === "freezetime" && begun)
    if (again) restartMap(game)
    return true
  }
  // The game keeps posting the final score of a map. A post therefore starts a new map only if it has no score yet, or
  // if its map is known to come later in the series.
  if (phase === "gameover" || (later === undefined && map !== undefined && (map.name === name || score.ct + score.t > 0))) return false
  reachSeries(game)
  const mapNumber = Math.max(later ?? 1, game.state.maps.length + 1)
  const rules = rulesShown(game.post, game.state.rules)
  const payload = { mapNumber, mapName: name, ctTeamId: startingCtId(game, rules), ...correctedRounds(game.state, rules.maxRounds) }
  return game.addFact(`m${mapNumber}:map`, { type: "MapStarted", payload })
}

/** Restarts the map at 0:0. */
export const restartMap = (game: GamePost): void => {
  const map = game.liveMap
  if (map === undefined) return
  game.addFact("restart", { type: "MapRestarted", payload: { mapNumber: map.number, ctTeamId: startingCtId(game, game.state.rules) } })
}

/** The bomb was planted in the first round and now is not: a plugin let the teams warm up in it and began it again. */
export const isPlantTakenBack = (game: GamePost): boolean => {
  const { bomb, completed, roundPhase } = game.post
  const known = game.state.round?.bomb?.state
  const isPlanted = known === "planted" || known === "defusing" || known === "defused" || known === "exploded"
  return (
    isPlanted &&
    bomb === undefined &&
    completed === 0 &&
    roundPhase === "live" &&
    game.roundInPlay === game.state.round?.number &&
    game.isNewer
  )
}

/** Ends and starts rounds until the match has reached the round that the post shows. */
export const reachRound = (game: GamePost): void => {
  const { completed, phase, roundPhase } = game.post
  for (let round = game.state.round?.number ?? 1; round <= completed && game.liveMap !== undefined; round++) endRound(game, round)
  const map = game.liveMap
  if (map === undefined) return
  if (phase === "gameover") {
    const [a, b] = map.score
    const winnerTeamId = a === b ? null : game.state.teams[a > b ? 0 : 1].id
    game.addFact("over", { type: "MapEnded", payload: { mapNumber: map.number, winnerTeamId, reason: "score" } })
    return
  }
  if (roundPhase === "over" || roundPhase === null) return
  const round = completed + 1
  startRound(game, round)
  if (roundPhase === "live" && game.state.round?.phase === "freezetime") {
    game.addFact(`r${round}:live`, { type: "RoundLive", payload: { mapNumber: map.number, round } })
  }
}

export const reachBomb = (game: GamePost): void => {
  const map = game.liveMap
  const round = game.state.round
  const { bomb } = game.post
  if (map === undefined || round === null || bomb === undefined || round.number !== game.roundInPlay || round.phase === "over") return
  const where = { mapNumber: map.number, round: round.number }
  const is = round.bomb?.state ?? "carried"
  if (is === "carried" || is === "dropped") {
    // The planter may be unknown, because only the posts of an observer contain the bomb carrier.
    const playerId = round.bomb?.playerId ?? null
    game.addFact(`r${round.number}:plant`, { type: "BombPlanted", payload: { ...where, playerId, site: null } })
  }
  if (bomb === "defused") {
    const defusing = game.state.round?.bomb
    const playerId = defusing?.state === "defusing" ? defusing.playerId : null
    game.addFact(`r${round.number}:defused`, { type: "BombDefused", payload: { ...where, playerId } })
  }
  if (bomb === "exploded") game.addFact(`r${round.number}:exploded`, { type: "BombExploded", payload: where })
}

const startingCtId = (game: GamePost, rules: MatchRules) => {
  // The team that is CT now also started the map as CT, unless the sides have been swapped since.
  const swapped = !onStartingSides(game.roundInPlay, rules)
  return game.state.teams[swapped ? otherTeam(game.ctTeam) : game.ctTeam].id
}

const startRound = (game: GamePost, round: number): void => {
  const map = game.liveMap
  if (map === undefined || (game.state.round?.number ?? 0) >= round) return
  const ctTeam = round === game.roundInPlay ? game.ctTeam : game.ctTeamByRules(round)
  game.addFact(`r${round}:start`, {
    type: "RoundStarted",
    payload: {
      mapNumber: map.number,
      round,
      ctTeamId: game.state.teams[ctTeam].id,
      ...correctedRounds(game.state, roundsWithoutHalftime(game.state, round, ctTeam)),
    },
  })
}

const endRound = (game: GamePost, number: number): void => {
  const { round } = game.state
  if (round?.number === number && round.phase === "over") return
  const won = wins.get(game.winOf(number) ?? "")
  const last = number === game.post.completed
  // A whole round between two posts adds no fact. The score of the next completed round includes it.
  if (won === undefined && !last && round?.number !== number) return
  startRound(game, number)
  const map = game.liveMap
  const ended = game.state.round
  if (map === undefined || ended?.number !== number) return
  const score = game.ctTeam === ended.ctTeam ? game.post.score : { ct: game.post.score.t, t: game.post.score.ct }
  const shown = last && game.post.roundPhase === "over" ? game.post.winner : undefined
  const byScore: Side = score.ct > map.score[ended.ctTeam] ? "CT" : "T"
  game.addFact(`r${number}:end`, {
    type: "RoundEnded",
    payload: {
      mapNumber: map.number,
      round: number,
      winner: won?.winner ?? shown ?? byScore,
      winType: won?.winType ?? winTypeNow(game, number),
      ...(last ? { score } : {}),
    },
  })
}

const wins: ReadonlyMap<string, { readonly winner: Side; readonly winType: WinType }> = new Map([
  ["ct_win_elimination", { winner: "CT", winType: "elimination" }],
  ["ct_win_defuse", { winner: "CT", winType: "bomb_defused" }],
  ["ct_win_time", { winner: "CT", winType: "time_expired" }],
  ["ct_win_rescue", { winner: "CT", winType: "unknown" }],
  ["t_win_elimination", { winner: "T", winType: "elimination" }],
  ["t_win_bomb", { winner: "T", winType: "bomb_exploded" }],
  ["t_win_time", { winner: "T", winType: "unknown" }],
] as const)

/** The win type, if it is known: a player's posts contain it only for rounds that the bomb decided. */
const winTypeNow = (game: GamePost, number: number): WinType => {
  if (game.state.round?.number !== number) return "unknown"
  const bomb = game.state.round.bomb?.state
  return bomb === "exploded" ? "bomb_exploded" : bomb === "defused" ? "bomb_defused" : "unknown"
}
