/** The players of a match: joining, leaving, and values that feeds report. */
import type { PlayerId } from "../ids.ts"
import type { PlayerReport, RosterEntry } from "./feedEvents.ts"
import { emptyTally, type MatchState, type Player, teamIndexOf } from "./state.ts"

export const freshRound: Player["round"] = { kills: 0, assisted: false, died: false, traded: false, credited: false }

export const evolveJoined = (state: MatchState, entry: RosterEntry): MatchState => {
  const team = teamIndexOf(state, entry.teamId)
  if (team === undefined) return state
  const known = state.players.find((player) => player.id === entry.playerId)
  if (known !== undefined) {
    return updatePlayer(state, entry.playerId, (player) => ({
      ...player,
      team,
      nickname: entry.nickname,
      name: entry.name ?? player.name,
      connected: true,
    }))
  }
  const player: Player = {
    id: entry.playerId,
    team,
    nickname: entry.nickname,
    name: entry.name ?? null,
    connected: true,
    // A player who joins while a round is live is not alive until the next round.
    alive: state.round === null || state.round.phase !== "live",
    hp: state.round === null || state.round.phase !== "live" ? 100 : 0,
    armor: null,
    helmet: null,
    defuseKit: null,
    money: null,
    equipmentValue: null,
    weapon: null,
    tally: emptyTally,
    round: freshRound,
  }
  return { ...state, players: [...state.players, player] }
}

export const evolveLeft = (state: MatchState, id: PlayerId): MatchState =>
  updatePlayer(state, id, (player) => ({ ...player, connected: false, alive: false, hp: 0 }))

/** Values that are not reported stay unchanged. The health of a player who is reported dead becomes 0. */
export const applyReports = (state: MatchState, reports: ReadonlyArray<PlayerReport>): MatchState => {
  if (reports.length === 0) return state
  const byId = new Map(reports.map((report) => [report.playerId, report]))
  return {
    ...state,
    players: state.players.map((player) => {
      const report = byId.get(player.id)
      return report === undefined ? player : applyReport(player, report)
    }),
  }
}

const applyReport = (player: Player, report: PlayerReport): Player => {
  const alive = report.alive ?? (report.hp === undefined ? player.alive : report.hp > 0)
  const { kills, assists, deaths } = report
  return {
    ...player,
    alive,
    hp: alive ? (report.hp ?? (player.alive ? player.hp : 100)) : 0,
    armor: report.armor ?? player.armor,
    helmet: report.helmet ?? player.helmet,
    defuseKit: report.defuseKit ?? player.defuseKit,
    money: report.money ?? player.money,
    equipmentValue: report.equipmentValue ?? player.equipmentValue,
    weapon: report.weapon === undefined ? player.weapon : report.weapon,
    round: report.assisted === true ? { ...player.round, assisted: true } : player.round,
    tally:
      kills === undefined && assists === undefined && deaths === undefined
        ? player.tally
        : {
            ...player.tally,
            kills: kills ?? player.tally.kills,
            assists: assists ?? player.tally.assists,
            deaths: deaths ?? player.tally.deaths,
          },
  }
}

export const updatePlayer = (state: MatchState, id: PlayerId | null, update: (player: Player) => Player): MatchState =>
  id === null ? state : { ...state, players: state.players.map((player) => (player.id === id ? update(player) : player)) }

/** Over the connected players of a team. Null if the value is unknown for all of them. */
export const sumOfTeam = (state: MatchState, team: 0 | 1, value: (player: Player) => number | null): number | null => {
  let sum: number | null = null
  for (const player of state.players) {
    if (player.team !== team || !player.connected) continue
    const amount = value(player)
    if (amount !== null) sum = (sum ?? 0) + amount
  }
  return sum
}

export const livingOf = (state: MatchState, team: 0 | 1): ReadonlyArray<Player> =>
  state.players.filter((player) => player.team === team && player.connected && player.alive)
