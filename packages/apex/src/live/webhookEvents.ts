/**
 * Derives the webhook events of a change from the states before and after it. If a switch to the backup feed applies
 * several reports at once, only the newest action of them is an event. No side effects.
 */
import type { WebhookEvent } from "@matchpoint/contracts/webhook/webhookEvents"
import { Announcement, type Concerned } from "@matchpoint/game/live/Announcement"
import type { MatchChange } from "@matchpoint/game/live/LiveGame"
import { type ApexEventData, apexWebhookEvents } from "../contract/webhookEvents.ts"
import { pointsOfGame } from "../rules/archive/points.ts"
import type { FeedEvent } from "../rules/live/feedEvents.ts"
import type { PlayerRef } from "../rules/live/lobby.ts"
import { type LastAction, type LobbyState, teamsLeft } from "../rules/live/state.ts"

type ApexChange = MatchChange<LobbyState, FeedEvent>
type ApexAnnouncement = Announcement<typeof apexWebhookEvents>

const none: ReadonlyArray<never> = []

/** Events in their order. An Apex event comes before the event that all games share. */
export const webhookEvents = (change: ApexChange): ReadonlyArray<WebhookEvent> => {
  const { after, before, event } = change
  if (before === undefined || isQuiet(before, after)) return none
  const events = new Announcement(apexWebhookEvents, event.observedAt, everybody(after))
  if (before.startedAt === null && after.startedAt !== null) events.add("apex.match.started", lobbyOf(after))
  if (after.game !== null && after.game.number !== before.game?.number) {
    events.add("apex.game.started", { ...lobbyOf(after), game: after.game.number, map: after.game.map })
  }
  const { lastAction } = after
  if (lastAction !== null && lastAction !== before.lastAction) actionEvents(events, after, lastAction)
  if (before.games !== after.games) gameEvents(events, before, after)
  if (before.status !== "completed" && after.status === "completed" && after.winner !== null) {
    events.add("apex.match.ended", {
      ...lobbyOf(after),
      standings: standingsOf(after),
      winner: { team: after.winner, teamName: teamName(after, after.winner) },
    })
  } else if (before.status !== "cancelled" && after.status === "cancelled") {
    events.add("apex.match.cancelled", lobbyOf(after))
  } else if (before.suspendedAt === null && after.suspendedAt !== null) {
    events.add("apex.match.suspended", lobbyOf(after))
  } else if (before.suspendedAt !== null && after.suspendedAt === null) {
    events.add("apex.match.resumed", lobbyOf(after))
  }
  return events.list
}

/** Changes that are no event, such as damage and rings. They are the most frequent ones. */
const isQuiet = (before: LobbyState, after: LobbyState): boolean =>
  before.lastAction === after.lastAction &&
  before.games === after.games &&
  before.status === after.status &&
  before.suspendedAt === after.suspendedAt &&
  before.game?.number === after.game?.number

const actionEvents = (events: ApexAnnouncement, state: LobbyState, action: LastAction): void => {
  const { assists, attacker, cause, eliminated, game, victim, weapon } = action
  if (action.type === "kill" && victim !== null && cause !== null) {
    const people = { victim: playerOf(state, victim), assists: assists.map((player) => playerOf(state, player)) }
    const data = { ...lobbyOf(state), game, ...people, weapon, cause }
    const ids = [victim, ...(attacker === null ? [] : [attacker]), ...assists]
    const concerned = concernedOf(state, ids)
    if (attacker !== null) events.add("apex.player.kill", { ...data, attacker: playerOf(state, attacker) }, concerned)
    events.add("apex.player.eliminated", { ...data, attacker: attacker === null ? null : playerOf(state, attacker) }, concerned)
  }
  if (eliminated === null || state.game === null) return
  const { placement, team } = eliminated
  const kills = state.game.teams[team - 1]?.kills ?? 0
  events.add(
    "apex.team.eliminated",
    {
      ...lobbyOf(state),
      game,
      team,
      teamName: teamName(state, team),
      placement,
      kills,
      points: pointsOfGame(placement, kills),
      teamsLeft: teamsLeft(state.game),
    },
    concernedOf(state, playersOf(state, team)),
  )
}

const gameEvents = (events: ApexAnnouncement, before: LobbyState, after: LobbyState): void => {
  const last = after.games.at(-1)
  const isOver = after.games.length > before.games.length && last !== undefined
  if (isOver && last.status === "completed") {
    const teams = last.results.map(({ kills, placement }, index) => ({
      team: index + 1,
      placement,
      kills,
      points: pointsOfGame(placement, kills),
      teamName: teamName(after, index + 1),
    }))
    events.add("apex.game.ended", { ...lobbyOf(after), game: last.number, map: last.map, teams, standings: standingsOf(after) })
  }
  if (before.correction !== after.correction) events.add("apex.game.corrected", { ...lobbyOf(after), standings: standingsOf(after) })
  // At most one event of each name: if several teams reach the threshold at once, the best of them is named.
  const reached = after.standings
    .map((row, index) => ({ ...row, team: index + 1, was: before.standings[index]?.isOnMatchPoint ?? false }))
    .filter(({ isOnMatchPoint, was }) => isOnMatchPoint && !was)
    .toSorted((one, other) => one.rank - other.rank)[0]
  if (reached !== undefined) {
    const { points, team } = reached
    events.add(
      "apex.match_point.reached",
      { ...lobbyOf(after), team, teamName: teamName(after, team), points },
      concernedOf(after, playersOf(after, team)),
    )
  }
}

const concernedOf = ({ lobby: { teams } }: LobbyState, players: ReadonlyArray<PlayerRef>): Concerned => {
  const numbers = new Set(players.map(({ team }) => team))
  return {
    teamIds: teams.flatMap(({ id }, index) => (id === null || !numbers.has(index + 1) ? none : id)),
    playerIds: players.flatMap(({ player, team }) => teams[team - 1]?.players[player - 1]?.id ?? none),
  }
}

const everybody = (state: LobbyState): Concerned =>
  concernedOf(
    state,
    state.lobby.teams.flatMap((_, index) => playersOf(state, index + 1)),
  )

const lobbyOf = ({ epoch, lobby, matchId, seq, status }: LobbyState): ApexEventData<"apex.match.started"> => ({
  matchId,
  epoch,
  seq,
  name: lobby.name,
  tournament: lobby.tournament,
  region: lobby.region,
  status: status === "scheduled" ? "upcoming" : status,
})

const standingsOf = (state: LobbyState) =>
  state.standings
    .map((row, index) => ({ team: index + 1, teamName: teamName(state, index + 1), ...row }))
    .toSorted((one, other) => one.rank - other.rank)

const teamName = ({ lobby }: LobbyState, team: number): string => lobby.teams[team - 1]?.name ?? ""

const playersOf = ({ lobby }: LobbyState, team: number): ReadonlyArray<PlayerRef> =>
  (lobby.teams[team - 1]?.players ?? none).map((_, index) => ({ team, player: index + 1 }))

const playerOf = (state: LobbyState, { player, team }: PlayerRef) => {
  const { id = null, name = "" } = state.lobby.teams[team - 1]?.players[player - 1] ?? {}
  return { team, teamName: teamName(state, team), player, id, name }
}
