/**
 * Converts the scorebot's scoreboard to facts: players, current money and, at the end of a round, the game's own
 * counts. If the adapter connects late, the scoreboard also shows the current map and round. It also ends a round whose
 * end is missing from the log.
 */
import { fingerprint } from "@matchpoint/game/feed/fingerprint"
import { playerId } from "../../../rules/ids.ts"
import type { PlayerReport } from "../../../rules/live/feedEvents.ts"
import { onStartingSides, otherTeam, type Side, type TeamIndex } from "../../../rules/live/rules.ts"
import { currentMap, type MatchState, playerOf } from "../../../rules/live/state.ts"
import { teamNamed } from "../../../rules/live/teamNames.ts"
import type { Derivation, FactBody } from "../Derivation.ts"
import { clipped, mapNameOf } from "../text.ts"
import { attemptTag } from "./log.ts"
import type { BoardPlayer, Scoreboard } from "./messages.ts"

export const readScoreboard = (derivation: Derivation, at: number, board: Scoreboard) => {
  const ctTeam = ctTeamOn(derivation.state, board)
  if (ctTeam === undefined || board.CT.length === 0 || board.TERRORIST.length === 0) return derivation.ignore()
  const raw = `scoreboard of round ${board.currentRound}`
  const addFact = (id: string, body: FactBody): boolean => derivation.addFact({ id, at, raw }, body)
  catchUp(derivation, board, ctTeam, addFact)
  const sides = [
    [ctTeam, board.CT],
    [otherTeam(ctTeam), board.TERRORIST],
  ] as const
  for (const [team, players] of sides) {
    for (const { dbId, name } of players) {
      if (dbId === 0) continue
      const id = playerId(dbId)
      const known = playerOf(derivation.state, id)
      if (known?.connected === true && known.team === team && known.nickname === clipped(name)) continue
      const payload = { playerId: id, teamId: derivation.state.teams[team].id, nickname: clipped(name) }
      addFact(`sb:join:${id}:${at.toString(36)}`, { type: "PlayerJoined", payload })
    }
  }
  report(derivation, board, at, addFact)
}

type AddFact = (id: string, body: FactBody) => boolean

/** Identified by its name or, if the name is not registered, by its players. */
const ctTeamOn = (state: MatchState, { CT, ctTeamName, terroristTeamName }: Scoreboard): TeamIndex | undefined => {
  const byName = teamNamed(state, ctTeamName)
  if (byName !== undefined) return byName
  const other = teamNamed(state, terroristTeamName)
  if (other !== undefined) return otherTeam(other)
  return CT.map(({ name }) => state.players.find(({ nickname }) => nickname === name)?.team).find((team) => team !== undefined)
}

const catchUp = (derivation: Derivation, board: Scoreboard, ctTeam: TeamIndex, addFact: AddFact) => {
  const { state } = derivation
  const map = currentMap(state)
  const round = Math.max(1, board.currentRound)
  const teams = state.teams
  // The connection started in the middle of a map, so the log does not contain the map's start.
  if (map === undefined && board.mapName !== "" && (round > 1 || board.counterTerroristScore + board.terroristScore > 0)) {
    const first = onStartingSides(round, state.rules) ? ctTeam : otherTeam(ctTeam)
    const payload = { mapNumber: 1, mapName: mapNameOf(board.mapName), ctTeamId: teams[first].id }
    if (!addFact("sb:m1:map", { type: "MapStarted", payload })) return
    const joined = currentMap(derivation.state)
    if (joined === undefined) return
    const start = { mapNumber: 1, round, ctTeamId: teams[ctTeam].id }
    addFact(`${attemptTag(joined)}:r${round}:start`, { type: "RoundStarted", payload: start })
    return
  }
  const playing = state.round
  if (map?.status !== "live" || playing === null || playing.phase === "over" || board.currentRound <= playing.number) return
  const swapped = ctTeam !== playing.ctTeam
  const score = swapped
    ? { ct: board.terroristScore, t: board.counterTerroristScore }
    : { ct: board.counterTerroristScore, t: board.terroristScore }
  const winner: Side = score.ct > map.score[playing.ctTeam] ? "CT" : "T"
  const payload = { mapNumber: map.number, round: playing.number, winner, winType: "unknown" as const, score }
  addFact(`${attemptTag(map)}:r${playing.number}:lost-end`, { type: "RoundEnded", payload })
}

const report = (derivation: Derivation, board: Scoreboard, at: number, addFact: AddFact) => {
  const { state } = derivation
  const map = currentMap(state)
  const { round } = state
  if (map?.status !== "live" || round === null || board.currentRound !== round.number || mapNameOf(board.mapName) !== map.name) {
    return derivation.ignore()
  }
  // Kills and deaths change with the score. Until then, they describe the previous round.
  const counted = round.phase === "over" && board.counterTerroristScore + board.terroristScore === round.number
  const players = [...board.CT, ...board.TERRORIST].flatMap((entry) => newsOf(state, entry, counted))
  if (players.length === 0) return derivation.ignore()
  const id = `${attemptTag(map)}:r${round.number}:report:${at.toString(36)}:${fingerprint(JSON.stringify(players))}`
  addFact(id, { type: "PlayersReported", payload: { mapNumber: map.number, round: round.number, players } })
}

const newsOf = (state: MatchState, { alive, assists, dbId, deaths, money, score }: BoardPlayer, counted: boolean): Array<PlayerReport> => {
  const player = dbId === 0 ? undefined : playerOf(state, playerId(dbId))
  if (player === undefined) return []
  const { tally } = player
  const news = {
    ...(player.money === money ? {} : { money: Math.min(money, 1_000_000) }),
    // The scoreboard may be older than the last kill in the log, so it never marks dead players as living.
    ...(alive || !player.alive ? {} : { alive: false }),
    ...(counted && tally.kills !== score ? { kills: score } : {}),
    ...(counted && tally.deaths !== deaths ? { deaths } : {}),
    ...(counted && tally.assists !== assists ? { assists } : {}),
  }
  return Object.keys(news).length === 0 ? [] : [{ playerId: player.id, ...news }]
}
