/** Webhook events from the states before and after a change, so it does not matter which feed reported it. Pure. */
import type { WebhookEvent } from "@matchpoint/contracts/webhook/webhookEvents"
import { Announcement, type Concerned } from "@matchpoint/game/live/Announcement"
import type { MatchChange } from "@matchpoint/game/live/LiveGame"
import { type TennisEventData, tennisWebhookEvents } from "../contract/webhookEvents.ts"
import type { FeedEvent } from "../rules/live/feedEvents.ts"
import type { SideIndex } from "../rules/live/format.ts"
import { scoreText } from "../rules/live/scores.ts"
import { type MatchState, serverOf } from "../rules/live/state.ts"
import { numberOf, setsOf, tourName } from "./documentOf.ts"

type TennisChange = MatchChange<MatchState, FeedEvent>

const none: ReadonlyArray<never> = []

/** Events in their order. A tennis event comes before the event that all games share. */
export const webhookEvents = (change: TennisChange): ReadonlyArray<WebhookEvent> => {
  const { after, before, event } = change
  // Most changes are points within a game, which are no events.
  if (before === undefined || (before.sets === after.sets && before.status === after.status && before.suspendedAt === after.suspendedAt))
    return none
  const events = new Announcement(tennisWebhookEvents, event.observedAt, allPlayers(after))
  const isCorrected = before.correction !== after.correction
  if (before.startedAt === null && after.startedAt !== null) {
    events.add("tennis.match.started", { ...scoresOf(after), server: numberOf(serverOf(after) ?? after.setServer ?? 0) })
  } else if (isCorrected) {
    events.add("tennis.match.corrected", scoresOf(after))
  } else if (before.sets !== after.sets) {
    events.add("tennis.score.updated", scoresOf(after))
    for (const [index, { winner }] of after.sets.entries()) {
      if (winner === null || (before.sets[index]?.winner ?? null) !== null) continue
      events.add("tennis.set.ended", { ...scoresOf(after), set: index + 1, winner: numberOf(winner) })
    }
  }
  if (before.status !== "completed" && after.status === "completed" && after.winner !== null && after.endReason !== null) {
    const { endReason, winner } = after
    const result = { winner: numberOf(winner), end_reason: endReason, score: scoreText(after, winner) }
    events.add("tennis.match.ended", { ...scoresOf(after), ...result })
  } else if (before.status !== "cancelled" && after.status === "cancelled") {
    events.add("tennis.match.cancelled", scoresOf(after))
  } else if (before.suspendedAt === null && after.suspendedAt !== null) {
    events.add("tennis.match.suspended", scoresOf(after))
  } else if (before.suspendedAt !== null && after.suspendedAt === null) {
    events.add("tennis.match.resumed", scoresOf(after))
  }
  return events.list
}

const allPlayers = ({ sides }: MatchState): Concerned => ({
  teamIds: none,
  playerIds: sides.flatMap(({ players }) => players.flatMap(({ id }) => id ?? none)),
})

const scoresOf = (state: MatchState): TennisEventData<"tennis.score.updated"> => {
  const { editionId, drawSize, level, name, round, surface } = state.tournament
  return {
    match_id: state.matchId,
    epoch: state.epoch,
    seq: state.seq,
    tour: tourName(state.tour),
    tournament: { id: editionId, name, surface, level, draw_size: drawSize, round },
    status: state.status === "scheduled" ? "upcoming" : state.status,
    side1: sideOf(state, 0),
    side2: sideOf(state, 1),
    sets: setsOf(state),
  }
}

const sideOf = ({ setsWon, sides }: MatchState, side: SideIndex) => ({
  players: sides[side].players.map(({ id, name }) => ({ id, name })),
  sets_won: setsWon[side],
})
