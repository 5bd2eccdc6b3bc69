/** `GET /cs2/live/{matchId}/state` and the rows of `/snapshots`. */
import { createHash } from "node:crypto"
import type { LiveSnapshotRow, LiveState } from "@matchpoint/contracts/http/cs2/liveModels"
import type { LiveEvent } from "@matchpoint/contracts/stream/LiveEvent"
import type { LiveMatch, LiveTeam } from "@matchpoint/contracts/stream/LiveMatch"
import { documentOf, type Frame } from "@matchpoint/realtime/Frame"
import { bombEvent, isBombEvent, roundEndEvent } from "./roundEnds.ts"
import { statePlayer } from "./statePlayer.ts"

export const liveState = (match: LiveMatch, events: ReadonlyArray<LiveEvent>): LiveState => {
  const [team1, team2] = match.teams
  return {
    entityType: "cs2_live_state",
    matchId: match.matchId,
    status: match.status,
    source: match.source,
    teams: {
      team1Id: team1.id,
      team1Name: team1.name,
      team1LogoUrl: team1.logoUrl,
      team1AlternateLogoUrl: null,
      team1DarkUiLogoUrl: null,
      team2Id: team2.id,
      team2Name: team2.name,
      team2LogoUrl: team2.logoUrl,
      team2AlternateLogoUrl: null,
      team2DarkUiLogoUrl: null,
    },
    score: match.seriesScore,
    ...inPlay(match, events),
  }
}

/** A frame of the ring as a row. Events of the future are left out: the list of events belongs to the room, not to the frame. */
export const snapshotRow = (frame: Frame, events: ReadonlyArray<LiveEvent>): LiveSnapshotRow => {
  const match = documentOf(frame)
  const [team1, team2] = match.teams
  const nameOf = (side: LiveTeam["side"]) => match.teams.find((team) => team.side === side)?.name ?? null
  return {
    entityType: "cs2_live_snapshot",
    snapshotId: snapshotId(match.matchId, frame),
    matchId: match.matchId,
    status: match.status,
    source: match.source,
    capturedAt: new Date(frame.at).toISOString(),
    teams: {
      team1Name: team1.name,
      team2Name: team2.name,
      terroristTeamName: nameOf("T"),
      counterTerroristTeamName: nameOf("CT"),
    },
    score: match.seriesScore,
    ...inPlay(
      match,
      events.filter((event) => event.observedAt <= match.updatedAt),
    ),
  }
}

const inPlay = (match: LiveMatch, events: ReadonlyArray<LiveEvent>) => ({
  currentMap: match.game?.map ?? null,
  currentRound: match.game?.round ?? 0,
  roundTimeSeconds: match.game === null ? null : match.rules.roundSeconds,
  roundTimeLeft: match.game?.clockSeconds ?? null,
  currentScoreCt: match.game?.score.ct ?? 0,
  currentScoreT: match.game?.score.t ?? 0,
  bombPlanted: match.game?.bomb?.state === "planted" || match.game?.bomb?.state === "defusing",
  players: match.players.map(statePlayer),
  liveBombEvents: events.filter((event) => event.mapNumber === match.currentGame && isBombEvent(event)).map(bombEvent),
  roundEndEvents: match.rounds.map(roundEndEvent),
})

/** The same frame has the same id on every node: a name-based UUID (RFC 9562, version 5) of its cursor. */
const snapshotId = (matchId: string, frame: Frame): string => {
  const bytes = createHash("sha1").update(`${matchId}:${frame.epoch}:${frame.seq}`).digest().subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString("hex")
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
