/** Response of `GET /cs2/live/{matchId}/state`, and the rows of `/snapshots`. */
import type { Frame } from "@matchpoint/realtime/Frame"
import type { LiveSnapshotRow, LiveState } from "../../contract/http/liveModels.ts"
import type { LiveEvent } from "../../contract/LiveEvent.ts"
import type { LiveMatch, LiveTeam } from "../../contract/LiveMatch.ts"
import { availabilityOf, coverageOf, type IsLegitimateNull, unavailableIn } from "./availability.ts"
import { eventsOfMap } from "./mapTallies.ts"
import { bombEvent, isBombEvent, roundEndEvent } from "./roundEnds.ts"
import { sideOfTeam } from "./sides.ts"
import { snapshotId } from "./snapshots.ts"
import { naturalOfPlayer, statePlayer } from "./statePlayer.ts"

export const liveState = (match: LiveMatch, events: ReadonlyArray<LiveEvent>): LiveState => {
  const [team1, team2] = match.teams
  return complete(match, {
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
  })
}

/** `events` are the match events up to this frame. */
export const snapshotRow = (frame: Frame, match: LiveMatch, events: ReadonlyArray<LiveEvent>): LiveSnapshotRow => {
  const [team1, team2] = match.teams
  const nameOf = (side: LiveTeam["side"]) => match.teams.find((team) => sideOfTeam(match, team.id) === side)?.name ?? null
  return complete(match, {
    entityType: "cs2_live_snapshot",
    snapshotId: snapshotId(frame),
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
    ...inPlay(match, events),
  })
}

const inPlay = (match: LiveMatch, events: ReadonlyArray<LiveEvent>) => ({
  currentMap: match.game?.map ?? null,
  currentRound: match.game?.round ?? 0,
  roundTimeSeconds: match.game === null ? null : match.rules.roundSeconds,
  roundTimeLeft: match.game?.clockSeconds ?? null,
  currentScoreCt: match.game?.score.ct ?? 0,
  currentScoreT: match.game?.score.t ?? 0,
  bombPlanted: match.game?.bomb?.state === "planted" || match.game?.bomb?.state === "defusing",
  players: match.players.map((player) => statePlayer(match, player)),
  // The backup feed reports no bomb events. Those from before the switch to it would look like the current state.
  liveBombEvents: match.source === "live_backup" ? [] : eventsOfMap(events, match.currentGame).filter(isBombEvent).map(bombEvent),
  roundEndEvents: match.rounds.map(roundEndEvent),
})

/** Null is legitimate for the player of an explosion. */
const natural: IsLegitimateNull = (path, holder) =>
  naturalOfPlayer(path, holder) ||
  ((path === "liveBombEvents.playerName" || path === "liveBombEvents.playerNick") && holder["eventType"] === "BombExploded")

const complete = <A extends object>(match: LiveMatch, shown: A) => ({
  ...shown,
  coverage: coverageOf(match),
  ...availabilityOf(match),
  unavailableFields: unavailableIn(shown, natural),
})
