/**
 * Webhook events of tennis matches. The match service decides which change of a match is which event. Bodies and
 * headers are the same for all games.
 */
import { MatchId } from "@matchpoint/domain/ids"
import { changeFields, type DataOf, event, namesOf } from "@matchpoint/game/contract/webhookEventTypes"
import { Schema } from "effect"
import { TourName } from "./http/data/references.ts"
import { SideNumber, TennisEndReason, TennisSet, TennisSide, TennisStatus, TennisTournament } from "./LiveTennisMatch.ts"

const Count = Schema.Natural

const scores = {
  match_id: MatchId,
  ...changeFields,
  tour: TourName,
  tournament: TennisTournament,
  status: TennisStatus,
  side1: TennisSide,
  side2: TennisSide,
  sets: Schema.Array(TennisSet).annotate({ description: "Sets in order. The last one may be in progress" }),
} as const

const ScoreData = Schema.Struct(scores).annotate({ identifier: "TennisScoreData" })

const StartedData = Schema.Struct({ ...scores, server: SideNumber }).annotate({ identifier: "TennisMatchStartedData" })

const SetEndedData = Schema.Struct({ ...scores, set: Count, winner: SideNumber }).annotate({ identifier: "TennisSetEndedData" })

const EndedData = Schema.Struct({
  ...scores,
  winner: SideNumber,
  end_reason: TennisEndReason,
  score: Schema.String.annotate({ description: "Score text from the winner's view, such as `6-4 7-6(5)`" }),
}).annotate({ identifier: "TennisMatchEndedData" })

/** An event occurs at most once per change of a match. */
export const tennisWebhookEvents = {
  "tennis.match.started": event(StartedData, "match.started", "The match has started."),
  "tennis.score.updated": event(ScoreData, "match.updated", "A game, a tie-break or a set has ended."),
  "tennis.set.ended": event(SetEndedData, null, "A set has ended."),
  "tennis.match.suspended": event(ScoreData, null, "Play was suspended."),
  "tennis.match.resumed": event(ScoreData, null, "Play was resumed."),
  "tennis.match.corrected": event(ScoreData, null, "The umpire has corrected the score."),
  "tennis.match.ended": event(EndedData, "match.ended", "The match has a winner: by score, by retirement or by walkover."),
  "tennis.match.cancelled": event(ScoreData, null, "The match was cancelled and has no winner."),
} as const

export type TennisEventName = keyof typeof tennisWebhookEvents

export type TennisEventData<Name extends TennisEventName> = DataOf<typeof tennisWebhookEvents, Name>

export const tennisEventNames = namesOf(tennisWebhookEvents)
