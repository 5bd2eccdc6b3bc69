/** `data` of webhook events, from the state after the change. `webhookEvents` decides which change is an event. */
import type { Cs2EventData } from "../contract/webhookEvents.ts"
import type { PlayerId, TeamId } from "../rules/ids.ts"
import type { BackupSeries, FeedEventOf } from "../rules/live/feedEvents.ts"
import { otherTeam } from "../rules/live/rules.ts"
import { type MatchState, playerOf, type RoundResult } from "../rules/live/state.ts"
import { winTypeName } from "../rules/statistics/winTypeNames.ts"
import { teamIdOf } from "./projectMain.ts"

export type PlayedMap = BackupSeries["maps"][number]

/**
 * The series as far as any feed in use has reported it. While the main feed repeats what the backup feed has reported,
 * this is the series of the backup feed, so that nothing is announced twice. Allocates nothing.
 */
export const progressOf = (state: MatchState): BackupSeries => state.backup ?? state

const cursor = ({ epoch, matchId, seq }: MatchState) => ({ matchId, epoch, seq })

/** Fields of all events with a score. `map` is the map that the event concerns. */
export const scoresOf = (
  state: MatchState,
  { seriesScore }: BackupSeries,
  map: PlayedMap | undefined,
): Cs2EventData<"cs2.score.updated"> => {
  const [one, two] = state.teams
  return {
    ...cursor(state),
    team1: { id: one.id, name: one.name },
    team2: { id: two.id, name: two.name },
    team1Score: map?.score[0] ?? 0,
    team2Score: map?.score[1] ?? 0,
    seriesScore: { team1: seriesScore[0], team2: seriesScore[1] },
    mapNumber: map?.number ?? null,
    currentMap: map?.name ?? null,
  }
}

/** Scores of the map that is played, or was played last. */
export const currentScores = (state: MatchState): Cs2EventData<"cs2.score.updated"> => {
  const series = progressOf(state)
  return scoresOf(state, series, series.maps.at(-1))
}

export const matchStarted = (state: MatchState): Cs2EventData<"cs2.match.started"> => ({
  ...currentScores(state),
  bestOf: state.bestOf,
  eventName: state.eventName,
})

export const mapStarted = (state: MatchState, map: PlayedMap): Cs2EventData<"cs2.map.started"> => ({
  ...scoresOf(state, progressOf(state), map),
  ctTeamId: state.teams[map.startingCtTeam].id,
  tTeamId: state.teams[otherTeam(map.startingCtTeam)].id,
  pickTeamId: state.maps[map.number - 1]?.pickTeamId ?? null,
})

export const mapEnded = (state: MatchState, map: PlayedMap): Cs2EventData<"cs2.map.ended"> => ({
  ...scoresOf(state, progressOf(state), map),
  ...winnerOf(state, map.winner),
  reason: state.maps[map.number - 1]?.endReason ?? null,
})

/** `map` is the map of the round by the main feed, with the score after the round. */
export const roundEnded = (state: MatchState, map: PlayedMap, result: RoundResult): Cs2EventData<"cs2.round.ended"> => ({
  ...scoresOf(state, state, map),
  round: result.round,
  winnerTeamId: state.teams[result.winnerTeam].id,
  winnerSide: result.winner,
  winType: winTypeName(result.winType, result.winner),
})

export const playerKill = (state: MatchState, { payload }: FeedEventOf<"PlayerKilled">): Cs2EventData<"cs2.player.kill"> => {
  const attacker = personOf(state, payload.killerId)
  const victim = personOf(state, payload.victimId)
  return {
    ...cursor(state),
    mapNumber: payload.mapNumber,
    round: payload.round,
    attacker,
    victim,
    assister: personOf(state, payload.assisterId),
    weapon: payload.weapon,
    headshot: payload.headshot,
    throughSmoke: payload.throughSmoke ?? null,
    wallbang: payload.wallbang ?? null,
    flashAssist: payload.flashAssist ?? false,
    isTeamKill: attacker !== null && attacker.teamId === victim?.teamId && attacker.playerId !== victim.playerId,
  }
}

export const matchEnded = (state: MatchState): Cs2EventData<"cs2.match.ended"> => ({
  ...currentScores(state),
  ...winnerOf(state, state.winner),
  reason: state.endReason === "forfeit" ? "forfeit" : "completed",
  isProvisional: state.unresolvedNames.length > 0,
  maps: mapResults(state),
})

export const matchCancelled = (state: MatchState): Cs2EventData<"cs2.match.cancelled"> => ({
  ...currentScores(state),
  maps: mapResults(state),
})

export const matchCorrected = (
  state: MatchState,
  correction: Cs2EventData<"cs2.match.corrected">["correction"],
): Cs2EventData<"cs2.match.corrected"> => ({
  ...currentScores(state),
  ...winnerOf(state, state.winner),
  correction,
  status: state.status === "scheduled" ? "upcoming" : state.status,
  maps: mapResults(state),
})

const mapResults = (state: MatchState): Cs2EventData<"cs2.match.ended">["maps"] =>
  progressOf(state).maps.map((map) => ({
    mapNumber: map.number,
    map: map.name,
    status: map.status,
    team1Score: map.score[0],
    team2Score: map.score[1],
    ...winnerOf(state, map.winner),
  }))

const winnerOf = (state: MatchState, winner: MatchState["winner"]): { readonly winnerTeamId: TeamId | null; readonly isDraw: boolean } => ({
  winnerTeamId: teamIdOf(state, winner),
  isDraw: winner === "draw",
})

const personOf = (state: MatchState, id: PlayerId | null): Cs2EventData<"cs2.player.kill">["attacker"] => {
  const player = id === null ? undefined : playerOf(state, id)
  return player === undefined ? null : { playerId: player.id, nickname: player.nickname, teamId: state.teams[player.team].id }
}
