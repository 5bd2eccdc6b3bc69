/**
 * Builds the public match document while a backup feed is active: the series score and the current map, without rounds
 * and players. What the main feed reported before may be a minute old, so it is hidden until that feed is back.
 */
import type { LiveGame, LiveMap, LiveMatch, LiveTeam } from "../contract/LiveMatch.ts"
import { mapId } from "../rules/ids.ts"
import { ctTeamAt, knownSeries } from "../rules/live/backupSeries.ts"
import type { BackupSeries } from "../rules/live/feedEvents.ts"
import { otherTeam, type TeamIndex } from "../rules/live/rules.ts"
import type { MatchState } from "../rules/live/state.ts"
import { isoTime } from "./encode/isoTime.ts"
import { iso, shownHead, teamIdOf } from "./projectMain.ts"

type BackupMap = BackupSeries["maps"][number]

/** Not reported by a backup feed. */
export const unavailableOnBackup: ReadonlyArray<string> = [
  "rounds",
  "players",
  "maps.players",
  "maps.team1Halves",
  "maps.team2Halves",
  "game.clockSeconds",
  "game.clockEndsAt",
  "game.bomb",
  "teams.side",
  "teams.playersAlive",
  "teams.equipmentValue",
  "teams.money",
  "teams.timeoutsRemaining",
  "timeout",
  "lastEvent",
]

export const projectBackup = (state: MatchState): LiveMatch => {
  const { maps, seriesScore } = knownSeries(state)
  const map = maps.at(-1)
  return {
    ...shownHead(state),
    updatedAt: isoTime(state.observedAt),
    seriesScore: { team1: seriesScore[0], team2: seriesScore[1] },
    winnerTeamId: teamIdOf(state, state.winner),
    currentGame: map?.number ?? 0,
    teams: [projectTeam(state, seriesScore, map, 0), projectTeam(state, seriesScore, map, 1)],
    maps: maps.map((played) => projectMap(state, played)),
    game: map === undefined ? null : projectGame(state, map),
    players: [],
    rounds: [],
    timeout: null,
    lastEvent: null,
    unavailableFields: unavailableOnBackup,
  }
}

const projectTeam = (
  { teams }: MatchState,
  seriesScore: BackupSeries["seriesScore"],
  map: BackupMap | undefined,
  index: TeamIndex,
): LiveTeam => ({
  id: teams[index].id,
  name: teams[index].name,
  logoUrl: teams[index].logoUrl,
  side: null,
  score: seriesScore[index],
  mapScore: map?.score[index] ?? 0,
  playersAlive: 0,
  equipmentValue: null,
  money: null,
  timeoutsRemaining: null,
})

const projectMap = (state: MatchState, map: BackupMap): LiveMap => ({
  id: mapId(state.matchId, map.number),
  mapNumber: map.number,
  mapName: map.name,
  status: map.status,
  pickTeamId: state.maps[map.number - 1]?.pickTeamId ?? null,
  team1Score: map.score[0],
  team2Score: map.score[1],
  team1Halves: [],
  team2Halves: [],
  winnerTeamId: teamIdOf(state, map.winner),
  durationRounds: map.score[0] + map.score[1],
  startedAt: isoTime(map.startedAt),
  endedAt: iso(map.endedAt),
  players: [],
})

/** The current round is derived from the score, and the sides from the match rules. */
const projectGame = (state: MatchState, map: BackupMap): LiveGame => {
  const over = map.status === "completed"
  const ctTeam = ctTeamAt(map, state.rules)
  return {
    id: mapId(state.matchId, map.number),
    map: map.name,
    round: map.score[0] + map.score[1] + (over ? 0 : 1),
    phase: over ? "ended" : "live",
    clockSeconds: null,
    clockEndsAt: null,
    bomb: null,
    score: { ct: map.score[ctTeam], t: map.score[otherTeam(ctTeam)] },
    sides: { ctTeamId: state.teams[ctTeam].id, tTeamId: state.teams[otherTeam(ctTeam)].id },
  }
}
