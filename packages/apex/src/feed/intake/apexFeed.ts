import { openMatch } from "@matchpoint/game/feed/openMatch"
import { plainFeed } from "@matchpoint/game/feed/plainFeed"
import { internalTypes } from "@matchpoint/game/rules/feedEnvelope"
import { Result } from "effect"
import { decodeFeedEvent, readEvent } from "../../contract/feed.ts"
import { ApexRegistration } from "../../contract/http/ApexRegistration.ts"
import { apexRules } from "../../rules/live/apexRules.ts"
import type { FeedEvent } from "../../rules/live/feedEvents.ts"
import type { LobbyState } from "../../rules/live/state.ts"
import { lobbySheet, registeredLobby } from "./registration.ts"

export const apexFeed = plainFeed<LobbyState, FeedEvent, ApexRegistration>({
  rules: apexRules,
  decodeEvent: decodeFeedEvent,
  readEvent,
  registration: ApexRegistration,
  ownTypes: internalTypes,
  known: new Set(["duplicate", "late_fact"]),
  opening: (registration, now) => Result.map(lobbySheet(registration), (payload) => openMatch(registeredLobby(payload), payload, now)),
})
