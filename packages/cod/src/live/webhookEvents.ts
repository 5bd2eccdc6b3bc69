/**
 * Derives the webhook events of a change. Except for kills and rounds, every event is a difference between the states
 * before and after it, so it does not matter which feed reported it. No side effects.
 */
import type { WebhookEvent } from "@matchpoint/contracts/webhook/webhookEvents"
import { Announcement, type Concerned } from "@matchpoint/game/live/Announcement"
import type { MatchChange } from "@matchpoint/game/live/LiveGame"
import { type CodEventData, codWebhookEvents } from "../contract/webhookEvents.ts"
import type { FeedEvent, FeedEventOf } from "../rules/live/feedEvents.ts"
import type { SideIndex } from "../rules/live/format.ts"
import type { PlayerId } from "../rules/live/registry.ts"
import { type MatchMap, type MatchState, placeOf } from "../rules/live/state.ts"
import { mapOf, numberOf, statusOf } from "./documentOf.ts"

type CodChange = MatchChange<MatchState, FeedEvent>

const none: ReadonlyArray<never> = []

/** Events in their order. A Call of Duty event comes before the event that all games share. */
export const webhookEvents = (change: CodChange): ReadonlyArray<WebhookEvent> => {
  const { after, before, event } = change
  if (before === undefined) return none
  if (event.type === "PlayerKilled") return killEvents(after, event)
  // Most other changes are points on the hill, which are no events.
  if (event.type === "HillScored" || event.type === "HillChanged" || event.type === "StatisticsReported") return none
  const events = new Announcement(codWebhookEvents, event.observedAt, bothTeams(after))
  if (before.startedAt === null && after.startedAt !== null) events.add("cod.match.started", scoresOf(after))
  if (before.corrections !== after.corrections) events.add("cod.match.corrected", scoresOf(after))
  if (event.type === "RoundEnded") {
    const { map: number, reason, round, winner } = event.payload
    const data = { ...scoresOf(after), map: mapAt(after, number), mapRound: round, winner: numberOf(winner), reason }
    events.add("cod.round.ended", data)
  }
  for (const [index, map] of after.maps.entries()) {
    const name = mapEventOf(before.maps[index], map)
    if (name !== undefined) events.add(name, { ...scoresOf(after), map: mapOf(map, index) })
  }
  if (before.status !== "completed" && after.status === "completed" && after.winner !== null && after.endReason !== null) {
    events.add("cod.match.ended", { ...scoresOf(after), winner: numberOf(after.winner), endReason: after.endReason })
  } else if (before.status !== "cancelled" && after.status === "cancelled") {
    events.add("cod.match.cancelled", scoresOf(after))
  } else if (before.suspendedAt === null && after.suspendedAt !== null) {
    events.add("cod.match.suspended", scoresOf(after))
  } else if (before.suspendedAt !== null && after.suspendedAt === null && after.status === "live") {
    events.add("cod.match.resumed", scoresOf(after))
  }
  return events.list
}

/** Undefined if the status has not changed. A map that a forfeit of the match has stopped has no winner. */
const mapEventOf = (before: MatchMap | undefined, { status, winner }: MatchMap) => {
  const known = before?.status ?? "upcoming"
  if (known === status) return undefined
  if (status === "upcoming") return "cod.map.replayed" as const
  if (status === "live") return "cod.map.started" as const
  return winner === null ? undefined : ("cod.map.ended" as const)
}

const killEvents = (after: MatchState, { observedAt, payload }: FeedEventOf<"PlayerKilled">): ReadonlyArray<WebhookEvent> => {
  const { assists, map, round = null, weapon = null } = payload
  const attacker = payload.attacker === null ? undefined : personOf(after, payload.attacker)
  const victim = personOf(after, payload.victim)
  // Only the death of an opponent is a kill.
  if (attacker === undefined || victim === undefined || attacker.team === victim.team || after.lastKill === null) return none
  const { isFirstBlood, isTrade, streak } = after.lastKill
  const events = new Announcement(codWebhookEvents, observedAt, {
    teamIds: bothTeams(after).teamIds,
    playerIds: [attacker.playerId, victim.playerId, ...assists],
  })
  const { epoch, matchId, seq } = after
  events.add("cod.player.kill", {
    matchId,
    epoch,
    seq,
    mapNumber: map,
    mapRound: round,
    attacker,
    victim,
    weapon,
    assists,
    isTrade,
    isFirstBlood,
    streak,
  })
  return events.list
}

const personOf = (state: MatchState, id: PlayerId) => {
  const place = placeOf(state, id)
  const player = place === undefined ? undefined : state.teams[place.side].players[place.position]
  return place === undefined || player === undefined ? undefined : { playerId: id, ign: player.ign, team: numberOf(place.side) }
}

const bothTeams = ({ teams }: MatchState): Concerned => ({
  teamIds: teams.flatMap(({ slug }) => slug ?? none),
  playerIds: teams.flatMap(({ players }) => players.map(({ id }) => id)),
})

const scoresOf = (state: MatchState): CodEventData<"cod.match.started"> => ({
  matchId: state.matchId,
  epoch: state.epoch,
  seq: state.seq,
  tournament: { tournamentId: state.tournament.id, name: state.tournament.name },
  round: state.tournament.round,
  status: statusOf(state),
  bestOf: state.bestOf,
  team1: teamOf(state, 0),
  team2: teamOf(state, 1),
  maps: state.maps.map(mapOf),
})

const teamOf = ({ mapsWon, teams }: MatchState, side: SideIndex) => {
  const { name, slug } = teams[side]
  return { slug, name, score: mapsWon[side] }
}

const mapAt = ({ maps }: MatchState, number: number) => {
  const map = maps[number - 1]
  if (map === undefined) throw new Error(`map ${number} was played but not chosen`)
  return mapOf(map, number - 1)
}
