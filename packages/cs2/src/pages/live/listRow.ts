/** Row of the match list, made of a match's document or of its summary in the API's list. */
import type { Row } from "@matchpoint/game/pages/live/GameView"
import type { LiveListItem, LiveMatch } from "../types.ts"

export interface ListTeam {
  readonly name: string
  readonly side: "CT" | "T" | null
  readonly series: number
  readonly rounds: number | null
  readonly alive: number | null
  readonly winner: boolean
}

export interface ListRow extends Row {
  /** Present only while no feed is reporting. */
  readonly feed: LiveMatch["feed"]
  readonly eventName: string | null
  readonly bestOf: number
  readonly map: string | null
  readonly mapNumber: number
  readonly round: number
  readonly phase: string | null
  readonly teams: readonly [ListTeam, ListTeam]
}

/** A match's summary does not name its current map. */
export const rowOfItem = (item: LiveListItem): ListRow => {
  const team = (index: 0 | 1) => {
    const { mapScore, name, playersAlive, score, side } = item.teams[index]
    return { name, side, series: score, rounds: item.currentGame === 0 ? null : mapScore, alive: playersAlive, winner: false }
  }
  return {
    matchId: item.matchId,
    status: item.status,
    feed: item.feed,
    eventName: item.eventName,
    bestOf: item.bestOf,
    map: null,
    mapNumber: item.currentGame,
    round: 0,
    phase: null,
    teams: [team(0), team(1)],
  }
}

export const rowOfMatch = (match: LiveMatch): ListRow => {
  const team = (index: 0 | 1) => {
    const { id, mapScore, name, playersAlive, score, side } = match.teams[index]
    const rounds = match.game === null ? null : mapScore
    return { name, side, series: score, rounds, alive: match.game === null ? null : playersAlive, winner: match.winnerTeamId === id }
  }
  return {
    matchId: match.matchId,
    status: match.status,
    feed: match.feed,
    eventName: match.eventName,
    bestOf: match.bestOf,
    map: match.game?.map ?? null,
    mapNumber: match.currentGame,
    round: match.game?.round ?? 0,
    phase: match.game?.phase ?? null,
    teams: [team(0), team(1)],
  }
}
