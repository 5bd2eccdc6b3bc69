/** Defines the `GameFeed` of tennis, which the intake uses to accept registrations and facts of tennis matches. */
import { TennisRegistration } from "@matchpoint/contracts/http/tennis/TennisRegistration"
import { decodeFeedEvent, readEvent } from "@matchpoint/contracts/tennis/feed"
import { internalTypes } from "@matchpoint/domain/game/feedEnvelope"
import type { FeedEvent } from "@matchpoint/domain/tennis/live/feedEvents"
import type { MatchState } from "@matchpoint/domain/tennis/live/state"
import { tennisRules } from "@matchpoint/domain/tennis/live/tennisRules"
import { Result } from "effect"
import { openMatch } from "../../openMatch.ts"
import { plainFeed } from "../../plainFeed.ts"
import { createdPayload, matchTeam } from "./registration.ts"

export const tennisFeed = plainFeed<MatchState, FeedEvent, TennisRegistration>({
  rules: tennisRules,
  decodeEvent: decodeFeedEvent,
  readEvent,
  registration: TennisRegistration,
  ownTypes: internalTypes,
  known: new Set(["duplicate", "late_point", "late_fact"]),
  opening: (registration, now) =>
    Result.map(createdPayload(registration), (payload) =>
      openMatch({ bestOf: payload.format.bestOf, team1: matchTeam(payload.sides[0]), team2: matchTeam(payload.sides[1]) }, payload, now),
    ),
})
