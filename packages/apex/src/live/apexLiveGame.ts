import { matchLiveGame } from "@matchpoint/game/live/matchLiveGame"
import { decodeFeedEvent, encodeFeedEvent } from "../contract/feed.ts"
import { apexRules } from "../rules/live/apexRules.ts"
import { FeedEvent } from "../rules/live/feedEvents.ts"
import { ApexResult, resultOf } from "../rules/live/result.ts"
import { teamsLeft } from "../rules/live/state.ts"
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
