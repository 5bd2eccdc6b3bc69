/** Implements the match service's game interface for Apex. */
import { decodeFeedEvent, encodeFeedEvent } from "@matchpoint/contracts/apex/feed"
import { apexRules } from "@matchpoint/domain/apex/live/apexRules"
import { FeedEvent } from "@matchpoint/domain/apex/live/feedEvents"
import { ApexResult, resultOf } from "@matchpoint/domain/apex/live/result"
import { teamsLeft } from "@matchpoint/domain/apex/live/state"
import { matchLiveGame } from "../matchLiveGame.ts"
import { documentOf, rowOf } from "./documentOf.ts"
import { webhookEvents } from "./webhookEvents.ts"

export const apexLiveGame = matchLiveGame({
  rules: apexRules,
  decodeEvent: decodeFeedEvent,
  encodeEvent: encodeFeedEvent,
  event: FeedEvent,
  documentOf,
  rowOf,
  result: ApexResult,
  resultOf,
  webhookEvents,
  listed: ({ game, games, readyFor, silence, source, standings, status, suspendedAt }) => [
    status,
    source,
    silence?.status,
    suspendedAt,
    readyFor,
    games.length,
    game === null ? null : [game.number, game.ring?.ring, teamsLeft(game)],
    standings.map(({ points }) => points),
  ],
  // A lobby has no two sides.
  partsWon: () => [0, 0],
})
