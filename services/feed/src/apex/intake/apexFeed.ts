/** Defines the `GameFeed` of Apex, which the intake uses to accept registrations and facts of lobbies. */
import { decodeFeedEvent, readEvent } from "@matchpoint/contracts/apex/feed"
import { ApexRegistration } from "@matchpoint/contracts/http/apex/ApexRegistration"
import { apexRules } from "@matchpoint/domain/apex/live/apexRules"
import type { FeedEvent } from "@matchpoint/domain/apex/live/feedEvents"
import type { LobbyState } from "@matchpoint/domain/apex/live/state"
import { internalTypes } from "@matchpoint/domain/game/feedEnvelope"
import { Result } from "effect"
import { openMatch } from "../../openMatch.ts"
import { plainFeed } from "../../plainFeed.ts"
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
