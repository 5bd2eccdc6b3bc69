import { openMatch } from "@matchpoint/game/feed/openMatch"
import { plainFeed } from "@matchpoint/game/feed/plainFeed"
import { internalTypes } from "@matchpoint/game/rules/feedEnvelope"
import { Result } from "effect"
import { decodeFeedEvent, readEvent } from "../../contract/feed.ts"
import { TennisRegistration } from "../../contract/http/TennisRegistration.ts"
import type { FeedEvent } from "../../rules/live/feedEvents.ts"
import type { MatchState } from "../../rules/live/state.ts"
import { tennisRules } from "../../rules/live/tennisRules.ts"
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
