/** State of a CS2 match for a terminal: one line during the match, and a table after its end. */
import { currentMap, type GameMap, type MatchState, type PlayerState } from "../../rules/live/state.ts"
import { adr, kast } from "../../rules/rating.ts"

/** Such as `de_mirage round 12 North 7:4 South`. */
export const matchLine = (state: MatchState): string => {
  const map = currentMap(state)
  const where = map === undefined ? "before the first map" : `${map.name} round ${state.round?.number ?? 1}`
  return `${where}  ${scoreOf(state, map)}`
}

/** Every map with its score and all players. */
export const finalTable = (state: MatchState): string => {
  const [one, two] = state.teams
  const series = state.bestOf > 1 ? `\nSeries ${one.name} ${state.seriesScore[0]}:${state.seriesScore[1]} ${two.name}` : ""
  const ending = state.status === "completed" ? "" : `\nThe match is ${state.status}: the recording ends before it does.`
  return `${state.maps.map((map) => mapTable(state, map)).join("\n\n")}${series}${ending}`
}

const mapTable = (state: MatchState, map: GameMap): string => {
  const lines = map.status === "completed" ? map.lines : state.players.map(lineOf)
  const width = Math.max(8, ...lines.map(({ nickname }) => nickname.length))
  const rows = ([0, 1] as const).flatMap((team) => [
    state.teams[team].name,
    ...lines
      .filter((line) => line.team === team)
      .toSorted((a, b) => b.kills - a.kills)
      .map((line) => row(line, width, map.roundsPlayed)),
  ])
  const header = `  ${"".padEnd(width)}    K    D    A   HS    ADR   KAST`
  return [`Map ${map.number}: ${map.name}  ${scoreOf(state, map)}`, header, ...rows].join("\n")
}

const row = (line: PlayerState, width: number, rounds: number): string => {
  const cells = [line.kills, line.deaths, line.assists, line.headshots].map((value) => String(value).padStart(5)).join("")
  const share = kast(line, rounds)
  return `  ${line.nickname.padEnd(width)}${cells}${adr(line, rounds).toFixed(1).padStart(7)}${(share === null ? "-" : percent(share)).padStart(7)}`
}

const lineOf = ({ id, nickname, tally, team }: MatchState["players"][number]): PlayerState => ({ playerId: id, nickname, team, ...tally })

const scoreOf = (state: MatchState, map: GameMap | undefined): string => {
  const [one, two] = state.teams
  return `${one.name} ${map?.score[0] ?? 0}:${map?.score[1] ?? 0} ${two.name}`
}

const percent = (share: number): string => `${Math.round(100 * share)} %`.padStart(5)
