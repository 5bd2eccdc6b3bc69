/** Defines the `GameFeed` of CS2, which the intake uses to accept registrations and facts (events) of CS2 matches. */
import { decodeFeedEvent } from "@matchpoint/contracts/cs2/feed"
import { Facts, Registration } from "@matchpoint/contracts/http/cs2/feed/Cs2FeedApi"
import { strictBody } from "@matchpoint/contracts/http/strictBody"
import { cs2Rules } from "@matchpoint/domain/cs2/live/cs2Rules"
import type { FeedEvent } from "@matchpoint/domain/cs2/live/feedEvents"
import type { MatchState } from "@matchpoint/domain/cs2/live/state"
import { Result, Schema } from "effect"
import type { GameFeed } from "../../GameFeed.ts"
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
