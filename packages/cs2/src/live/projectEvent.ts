/** Converts a feed event to the event row that customers see in a match's event list. */
import type { LiveEvent, LiveEventType } from "../contract/LiveEvent.ts"
import type { PlayerId } from "../rules/ids.ts"
import { isFromBackup, knownSeries } from "../rules/live/backupSeries.ts"
import type { FeedEvent } from "../rules/live/feedEvents.ts"
import { otherTeam } from "../rules/live/rules.ts"
import { clockSecondsAt, currentMap, type MatchState, playerOf, sideOfTeam } from "../rules/live/state.ts"
import { winTypeName } from "../rules/statistics/winTypeNames.ts"
import { isoTime } from "./encode/isoTime.ts"
import { teamIdOf } from "./projectMain.ts"

/** `null` for changes without a row, such as health, money and the clock. `state` is the state after the event. */
export const projectEvent = (state: MatchState, event: FeedEvent): LiveEvent | null => {
  if (isFromBackup(event)) return backupEvent(state, event)
  const { round, teams } = state
  switch (event.type) {
    case "PlayerKilled": {
      const { payload } = event
      return row(state, event, "Kill", payload.killerId, {
        killerPlayerId: payload.killerId,
        killerNick: nickOf(state, payload.killerId),
        killerSide: sideOf(state, payload.killerId),
        victimPlayerId: payload.victimId,
        victimNick: nickOf(state, payload.victimId),
        victimSide: sideOf(state, payload.victimId),
        assisterPlayerId: payload.assisterId,
        assisterNick: nickOf(state, payload.assisterId),
        flashAssist: payload.flashAssist ?? false,
        weapon: payload.weapon,
        headshot: payload.headshot,
        throughSmoke: payload.throughSmoke ?? null,
        wallbang: payload.wallbang ?? null,
      })
    }
    case "BombPlanted":
    case "BombDefused":
      return row(state, event, event.type, event.payload.playerId, {})
    case "BombExploded":
      return row(state, event, event.type, null, {})
    case "RoundStarted":
      return row(state, event, "RoundStart", null, {})
    case "RoundEnded": {
      const result = currentMap(state)?.rounds.at(-1)
      return row(state, event, "RoundEnd", null, {
        winner: event.payload.winner === "T" ? "TERRORIST" : "CT",
        winnerTeamId: result === undefined ? null : teams[result.winnerTeam].id,
        winType: winTypeName(event.payload.winType, event.payload.winner),
        terroristScore: result?.tScore ?? 0,
        counterTerroristScore: result?.ctScore ?? 0,
        mapEnded: currentMap(state)?.status === "completed",
        matchEnded: state.status === "completed",
      })
    }
    case "MapStarted": {
      const ctTeam = currentMap(state)?.startingCtTeam ?? 0
      return row(state, event, "MapStart", null, {
        map: event.payload.mapName,
        ctTeamId: teams[ctTeam].id,
        tTeamId: teams[otherTeam(ctTeam)].id,
      })
    }
    case "MapRestarted":
      return row(state, event, "MapRestart", null, { map: currentMap(state)?.name ?? null })
    case "MapEnded":
      return row(state, event, "MapEnd", null, { winnerTeamId: event.payload.winnerTeamId, reason: event.payload.reason })
    case "TimeoutCalled":
      return row(state, event, "Timeout", null, { teamId: event.payload.teamId, kind: event.payload.kind })
    case "MatchEnded":
      return row(state, event, "MatchEnd", null, { winnerTeamId: event.payload.winnerTeamId, reason: event.payload.reason })
    case "SourceChanged":
      return row(state, event, "SourceChange", null, { source: event.payload.source, round: round?.number ?? null })
    default:
      return null
  }
}

/** Only starts and ends of maps and matches have a row. The end of a round changes the score but has no row. */
const backupEvent = (state: MatchState, event: FeedEvent): LiveEvent | null => {
  const map = knownSeries(state).maps.at(-1)
  if (map === undefined) return null
  const eventRow = (eventType: LiveEventType, payload: Readonly<Record<string, unknown>>): LiveEvent => ({
    eventId: event.id,
    eventType,
    mapNumber: map.number,
    round: 0,
    clockSeconds: null,
    playerId: null,
    playerName: null,
    playerNick: null,
    ctPlayers: 0,
    tPlayers: 0,
    bombSite: null,
    payload,
    source: state.source,
    observedAt: isoTime(event.observedAt),
  })
  const { teams } = state
  switch (event.type) {
    case "MapStarted":
      return eventRow("MapStart", {
        map: map.name,
        ctTeamId: teams[map.startingCtTeam].id,
        tTeamId: teams[otherTeam(map.startingCtTeam)].id,
      })
    case "RoundEnded":
    case "MapEnded":
      return map.status === "completed" ? eventRow("MapEnd", { winnerTeamId: teamIdOf(state, map.winner), reason: reasonOf(event) }) : null
    case "MatchEnded":
      return eventRow("MatchEnd", { winnerTeamId: event.payload.winnerTeamId, reason: event.payload.reason })
    default:
      return null
  }
}

const reasonOf = (event: FeedEvent): string => (event.type === "MapEnded" ? event.payload.reason : "score")

const nickOf = (state: MatchState, id: PlayerId | null): string | null => (id === null ? null : (playerOf(state, id)?.nickname ?? null))

const sideOf = (state: MatchState, id: PlayerId | null) => {
  const player = id === null ? undefined : playerOf(state, id)
  return player === undefined || state.round === null ? null : sideOfTeam(state.round, player.team)
}

const row = (
  state: MatchState,
  event: FeedEvent,
  eventType: LiveEventType,
  playerId: PlayerId | null,
  payload: Readonly<Record<string, unknown>>,
): LiveEvent => {
  const { round } = state
  const player = playerId === null ? undefined : playerOf(state, playerId)
  const living = (side: "CT" | "T") =>
    round === null ? 0 : state.players.filter((one) => one.connected && one.alive && sideOfTeam(round, one.team) === side).length
  const shared = {
    playerName: player?.name ?? player?.nickname ?? null,
    playerNick: player?.nickname ?? null,
    ctPlayers: living("CT"),
    tPlayers: living("T"),
    bombSite: round?.bomb?.site ?? null,
  }
  return {
    eventId: event.id,
    eventType,
    mapNumber: currentMap(state)?.number ?? 0,
    round: round?.number ?? 0,
    clockSeconds: round === null ? null : clockSecondsAt(round, event.observedAt),
    playerId,
    ...shared,
    payload: { ...shared, ...payload },
    source: state.source,
    observedAt: isoTime(event.observedAt),
  }
}
