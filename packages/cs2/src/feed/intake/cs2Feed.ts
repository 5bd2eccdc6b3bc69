/** CS2 behind `GameFeed`, with which the intake accepts registrations and facts. */
import { strictBody } from "@matchpoint/contracts/http/strictBody"
import type { GameFeed } from "@matchpoint/game/feed/GameFeed"
import { Result, Schema } from "effect"
import { decodeFeedEvent } from "../../contract/feed.ts"
import { Facts, Registration } from "../../contract/http/feed/Cs2FeedApi.ts"
import { cs2Rules } from "../../rules/live/cs2Rules.ts"
import type { FeedEvent } from "../../rules/live/feedEvents.ts"
import type { MatchState } from "../../rules/live/state.ts"
import { createdEvent } from "../adapters/Recording.ts"
import { eventOfFact, type MatchIntake, openIntake, reread, type Submission, takeIn } from "./MatchIntake.ts"
import { createdPayload } from "./registration.ts"

export const cs2Feed: GameFeed<MatchState, FeedEvent, MatchIntake, Submission, Registration> = {
  rules: cs2Rules,
  decodeEvent: decodeFeedEvent,
  decodeRegistration: Schema.decodeUnknownResult(Registration, { ...strictBody, errors: "all" }),
  opening: (registration, now) =>
    Result.map(createdPayload(registration), (payload) => {
      const [team1, team2] = payload.teams
      const { startsAt } = registration
      return {
        match: { bestOf: payload.bestOf, team1: { id: team1.id, name: team1.name }, team2: { id: team2.id, name: team2.name } },
        config: startsAt === undefined ? {} : { startsAt },
        created: (matchId) => createdEvent(matchId, payload, now),
      }
    }),
  decodeFacts: Schema.decodeUnknownResult(Facts, strictBody),
  eventOf: eventOfFact,
  stateOf: ({ main }) => main.state,
  open: openIntake,
  reread,
  applySubmission: takeIn,
}
