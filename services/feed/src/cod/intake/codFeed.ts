/** Defines the `GameFeed` of Call of Duty, which the intake uses to accept registrations and facts of its matches. */
import { decodeFeedEvent, readEvent } from "@matchpoint/contracts/cod/feed"
import { CodRegistration } from "@matchpoint/contracts/http/cod/CodRegistration"
import { codRules } from "@matchpoint/domain/cod/live/codRules"
import type { FeedEvent } from "@matchpoint/domain/cod/live/feedEvents"
import type { MatchState } from "@matchpoint/domain/cod/live/state"
import { internalTypes } from "@matchpoint/domain/game/feedEnvelope"
import { Result } from "effect"
import { openMatch } from "../../openMatch.ts"
import { plainFeed } from "../../plainFeed.ts"
import { createdPayload, matchTeam } from "./registration.ts"

export const codFeed = plainFeed<MatchState, FeedEvent, CodRegistration>({
  rules: codRules,
  decodeEvent: decodeFeedEvent,
  readEvent,
  registration: CodRegistration,
  ownTypes: internalTypes,
  known: new Set(["duplicate", "late_fact"]),
  opening: (registration, now) =>
    Result.map(createdPayload(registration), (payload) =>
      openMatch({ bestOf: payload.bestOf, team1: matchTeam(payload.teams[0]), team2: matchTeam(payload.teams[1]) }, payload, now),
    ),
})
