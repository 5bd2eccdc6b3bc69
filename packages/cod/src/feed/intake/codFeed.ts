import { openMatch } from "@matchpoint/game/feed/openMatch"
import { plainFeed } from "@matchpoint/game/feed/plainFeed"
import { internalTypes } from "@matchpoint/game/rules/feedEnvelope"
import { Result } from "effect"
import { decodeFeedEvent, readEvent } from "../../contract/feed.ts"
import { CodRegistration } from "../../contract/http/CodRegistration.ts"
import { codRules } from "../../rules/live/codRules.ts"
import type { FeedEvent } from "../../rules/live/feedEvents.ts"
import type { MatchState } from "../../rules/live/state.ts"
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
