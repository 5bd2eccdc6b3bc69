/**
 * Derives the webhook events of a change of a match. Most changes are no events and cost a few comparisons. Except for
 * kills, an event is a difference between the states before and after the change, so it does not matter which fact
 * caused it. Changes that only repeat what was announced before, and new epochs, are no events.
 */
import type { WebhookEvent } from "@matchpoint/contracts/webhook/webhookEvents"
import type { MatchChange } from "@matchpoint/game/live/LiveGame"
import { type Cs2EventData, type Cs2EventName, cs2WebhookEvents } from "../contract/webhookEvents.ts"
import type { BackupSeries, FeedEvent, FeedEventOf } from "../rules/live/feedEvents.ts"
import { currentMap, type MatchState } from "../rules/live/state.ts"
import {
  currentScores,
  mapEnded,
  mapStarted,
  matchCancelled,
  matchCorrected,
  matchEnded,
  matchStarted,
  type PlayedMap,
  playerKill,
  progressOf,
  roundEnded,
} from "./webhookData.ts"

type Cs2Change = MatchChange<MatchState, FeedEvent>

const none: ReadonlyArray<never> = []

/** A CS2 event comes before the event that all games share. */
export const webhookEvents = (change: Cs2Change): ReadonlyArray<WebhookEvent> => {
  const { after, before, event } = change
  if (before === undefined) return none
  const isOfSeries = before.maps !== after.maps || before.backup !== after.backup
  const hasEnded = before.endedAt === null && after.endedAt !== null
  const correction = correctionOf(change, before)
  const goesLive = !isUnderWay(before) && isUnderWay(after)
  if (!isOfSeries && !hasEnded && !goesLive && correction === undefined) {
    return event.type === "PlayerKilled" ? kill(new Announcement(change), after, event) : none
  }
  const events = new Announcement(change)
  const started = isOfSeries ? startedMap(before, after, event) : undefined
  const ended = isOfSeries ? endedMap(before, after) : undefined
  const endedFirst = started !== undefined && ended !== undefined && ended.number < started.number
  if (progressOf(before).maps.length === 0 && progressOf(after).maps.length > 0) events.add("cs2.match.started", matchStarted(after))
  if (started !== undefined && !endedFirst) events.add("cs2.map.started", mapStarted(after, started))
  if (goesLive) events.add("cs2.match.live_started", currentScores(after))
  if (event.type === "PlayerKilled") kill(events, after, event)
  if (correction !== undefined) events.add("cs2.match.corrected", matchCorrected(after, correction))
  if (isOfSeries) {
    addEndedRound(events, before, after, event)
    if (before.endedAt === null && isScoreChanged(progressOf(before), progressOf(after))) {
      events.add("cs2.score.updated", currentScores(after))
    }
  }
  if (ended !== undefined) events.add("cs2.map.ended", mapEnded(after, ended))
  if (started !== undefined && endedFirst) events.add("cs2.map.started", mapStarted(after, started))
  if (hasEnded) {
    if (after.status === "cancelled") events.add("cs2.match.cancelled", matchCancelled(after))
    else events.add("cs2.match.ended", matchEnded(after))
  }
  return events.list
}

/** The events of one change, with its time and the ids of both teams. */
class Announcement {
  readonly list: Array<WebhookEvent> = []
  readonly #occurredAt: number
  readonly #teamIds: ReadonlyArray<string>

  constructor({ after, event }: Cs2Change) {
    this.#occurredAt = event.observedAt
    this.#teamIds = [after.teams[0].id, after.teams[1].id]
  }

  add<Name extends Cs2EventName>(name: Name, data: Cs2EventData<Name>, playerIds: ReadonlyArray<string> = none): void {
    const { generic } = cs2WebhookEvents[name]
    const event: WebhookEvent = { name, occurredAt: this.#occurredAt, teamIds: this.#teamIds, playerIds, data }
    this.list.push(event)
    if (generic !== null) this.list.push({ ...event, name: generic })
  }
}

const kill = (events: Announcement, after: MatchState, event: FeedEventOf<"PlayerKilled">): ReadonlyArray<WebhookEvent> => {
  const { assisterId, killerId, victimId } = event.payload
  const playerIds = [...new Set([killerId, victimId, assisterId])].filter((id) => id !== null)
  events.add("cs2.player.kill", playerKill(after, event), playerIds)
  return events.list
}

/**
 * True once a round has gone live. Some feeds do not report the end of freeze time, so the first kill, bomb event or
 * score counts as well. The state keeps `lastEvent` when a map restarts: a second live start follows only if nothing
 * had happened in the round before the restart.
 */
const isUnderWay = (state: MatchState): boolean => {
  if (state.lastEvent !== null || (state.round !== null && state.round.phase !== "freezetime")) return true
  const { maps } = progressOf(state)
  const map = maps[0]
  return map !== undefined && (maps.length > 1 || map.score[0] + map.score[1] > 0)
}

/** The newest map that was not known before, or the one that has replaced the current map. */
const startedMap = (before: MatchState, after: MatchState, event: FeedEvent): PlayedMap | undefined => {
  const was = progressOf(before).maps
  const map = progressOf(after).maps.at(-1)
  if (map === undefined || was.length < map.number) return map
  return event.type === "MapRestarted" && was[map.number - 1]?.name !== map.name ? map : undefined
}

const endedMap = (before: MatchState, after: MatchState): PlayedMap | undefined => {
  const was = progressOf(before).maps
  return progressOf(after).maps.findLast(({ number, status }) => status === "completed" && was[number - 1]?.status !== "completed")
}

/** Scores of the backup feed end no round. If the main feed reports the rounds later, they are announced then. */
const addEndedRound = (events: Announcement, before: MatchState, after: MatchState, event: FeedEvent): void => {
  const map = currentMap(after)
  const result = map?.rounds.at(-1)
  if (map === undefined || result === undefined || result.factId !== event.id) return
  if (result !== before.maps[map.number - 1]?.rounds.at(-1)) events.add("cs2.round.ended", roundEnded(after, map, result))
}

/** A new map starts at 0:0. */
const isScoreChanged = (before: BackupSeries, after: BackupSeries): boolean => {
  if (before.seriesScore[0] !== after.seriesScore[0] || before.seriesScore[1] !== after.seriesScore[1]) return true
  const map = after.maps.at(-1)
  if (map === undefined) return false
  const was = before.maps[map.number - 1]?.score
  return map.score[0] !== (was?.[0] ?? 0) || map.score[1] !== (was?.[1] ?? 0)
}

type Correction = Cs2EventData<"cs2.match.corrected">["correction"]

/** New names of a team alone are not visible to customers. */
const correctionOf = ({ after, event, repaired }: Cs2Change, before: MatchState): Correction | undefined => {
  if (event.type === "TeamAliased") {
    if (before.unresolvedNames === after.unresolvedNames) return undefined
    return before.maps === after.maps ? "teams_confirmed" : "teams_swapped"
  }
  return repaired === undefined ? undefined : repaired === "sides" ? "sides" : "score"
}
